"""The greeting of an agent: eight sections, as much of each as suits the session, the person and the executor (ADR-001
SYNAPSE C6, decision 7)."""

from __future__ import annotations

from limpet.agents.session_type import NEW, WORKFLOW
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.values import Value
from limpet.roles.agent import FULL, GREETINGS, KEY, QUICK, Agent
from limpet.work.in_force import POWER_USER, VIBECODER
from limpet.work.pipeline.briefing import NOTHING, Next

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MINIMAL, ARCHETYPAL, NONE = "minimal", "archetypal", "none"
LEVELS = (*GREETINGS, NONE)

TOKENS = 600
"""The most that an activation says."""

MOST_COMMANDS = 12
LONGEST = 160
_MOST_LINES, _MOST_MEMORIES = 7, 5
# What each kind of session lists: these commands and those of more weight.
_LISTED = {NEW: (FULL, QUICK, KEY), WORKFLOW: (KEY,)}
_USUAL = (QUICK, KEY)


class ProjectStatus(Value):
    """The state of the repository around a project.

    ``branch``: its name, the beginning of the commit's id where none is checked out.
    ``files``: some of the files that differ from the last commit or are new.
    ``changed``: how many there are, None where git did not say.
    ``commits``: the subjects of the newest commits.
    ``worktree``: the name of the linked worktree, "" in the main one.
    """

    branch: str = ""
    files: tuple[str, ...] = ()
    changed: int | None = None
    commits: tuple[str, ...] = ()
    worktree: str = ""


class GreetingScene(Value):
    """What a greeting speaks of.

    ``agent``: with its texts in the conversation's language, as far as there are any.
    ``texts``: what this module says, by key, in that language.
    ``level``: one of ``LEVELS``.
    ``session``: of ``session_type``.
    ``user_level``: the one that is acted on, "" for none.
    ``executor``: agent, worker, human or clone.
    ``task``: its title, "" for none; ``checklist``: what is open in it.
    ``handoff``: (who handed over, what it says), None for none.
    ``previous``: the agent that was active before, "" for none.
    ``memories``: titles, the hottest first.
    ``knowledge``: what earlier work taught of what is due, an entry a line.
    ``missing``: the names of what did not come in time.
    """

    agent: Agent
    texts: Mapping[str, str]
    level: str = MINIMAL
    session: str = NEW
    user_level: str = ""
    executor: str = "agent"
    permission: str = ""
    status: ProjectStatus | None = None
    task: str = ""
    checklist: tuple[str, ...] = ()
    handoff: tuple[str, str] | None = None
    previous: str = ""
    following: Next = NOTHING
    memories: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether a section has one line."""
        return self.level == MINIMAL

    def say(self, key: str, **values: object) -> str:
        """Return a text with its placeholders filled in."""
        return self.texts[f"greeting.{key}"].format(**values)


def greet(scene: GreetingScene) -> list[str]:
    """Return the greeting's lines, none for a worker and where no greeting is wanted; at most ``TOKENS`` together."""
    if not is_wanted(scene.level, scene.executor):
        return []
    wanted = _OF_EXECUTOR.get(scene.executor, _ALL)
    for count in range(len(_GIVEN_UP) + 1):
        kept = [section for section in wanted if section not in _GIVEN_UP[:count]]
        said = [clip(line, LONGEST) for section in kept for line in section(scene)]
        if estimate_tokens("\n".join(said)) <= TOKENS:
            break
    return said


def is_wanted(level: str, executor: str) -> bool:
    return level != NONE and executor != "worker"


def greet_plainly(agent: Agent, following: Next, missing: Sequence[str]) -> list[str]:
    """Return what can be said where not even the texts came."""
    lines = [f"{agent.title}: {agent.mission}" if agent.mission else agent.title]
    lines += [f"Next: {following.command}"] if following.command else []
    return [*lines, f"Not loaded in time: {', '.join(missing)}"]


def _presentation(scene: GreetingScene) -> Iterator[str]:
    """Yield who is there, with the badge that says how far it may go on its own."""
    persona = scene.agent.persona
    words = getattr(persona, scene.level) if persona else ""
    words = words or scene.say("ready", title=scene.agent.title)
    if scene.session != NEW and not scene.is_short:
        words += " " + (scene.say("continuing", task=scene.task) if scene.task else scene.say("welcome_back"))
    if scene.permission and scene.user_level == VIBECODER:
        words += f" [{scene.permission}: {scene.say(f'permission_{scene.permission}')}]"
    elif scene.permission:
        words += f" [{scene.permission}]"
    yield words


def _role(scene: GreetingScene) -> Iterator[str]:
    agent, persona = scene.agent, scene.agent.persona
    if agent.mission and (scene.session == NEW or scene.user_level == VIBECODER) and scene.user_level != POWER_USER:
        yield agent.mission
    if persona and persona.role and scene.level == ARCHETYPAL:
        yield scene.say("role", role=persona.role, style=persona.style).strip()


def _status(scene: GreetingScene) -> Iterator[str]:
    status = scene.status
    if status is None or not (status.branch or status.worktree):
        return
    parts = [status.branch, scene.say("worktree", name=status.worktree) if status.worktree else ""]
    if status.commits and scene.session != WORKFLOW:
        shown = status.commits[: 1 if scene.is_short else None]
        parts.append(scene.say("commits", subjects="; ".join(clip(one, 50) for one in shown)))
    if status.changed is None:
        parts.append(scene.say("unknown"))
    else:
        parts.append(_changed(scene, status, status.changed) if status.changed else scene.say("clean"))
    line = ", ".join(filter(None, parts))
    yield line if scene.is_short else scene.say("project", status=line)


def _changed(scene: GreetingScene, status: ProjectStatus, count: int) -> str:
    if scene.session == WORKFLOW or not status.files:
        return scene.say("changed", count=count)
    shown = status.files[:3] if scene.is_short else status.files
    names = ", ".join(shown) + (", ..." if count > len(shown) else "")
    return scene.say("changed_files", count=count, files=names)


def _context(scene: GreetingScene) -> Iterator[str]:
    if scene.handoff:
        yield scene.say("handoff", agent=scene.handoff[0], line=scene.handoff[1])
    elif scene.previous and scene.session != NEW:
        yield scene.say("previous", agent=scene.previous)
    if scene.task and not (scene.is_short and scene.following.words):  # which name it
        yield scene.say("task", task=scene.task)


def _next(scene: GreetingScene) -> Iterator[str]:
    command, words = scene.following.command, scene.following.words
    if command and scene.user_level == VIBECODER:
        known = {one.name: one.description for one in scene.agent.commands}
        about = next((text for name, text in known.items() if command.startswith(name)), "")
        yield scene.say("next_explained", command=command, words="; ".join(filter(None, (about, words))) or "-")
    elif command:
        yield scene.say("next_because", command=command, words=words) if words else scene.say("next", command=command)


def _memories(scene: GreetingScene) -> Iterator[str]:
    titles = [clip(title, 70) for title in scene.memories[:_MOST_MEMORIES]]
    if titles and scene.is_short:
        yield scene.say("memories", titles="; ".join(titles[:3]))
    elif titles:
        yield scene.say("memories", titles="").rstrip()
        yield from (f"  - {title}" for title in titles)


def _knowledge(scene: GreetingScene) -> Iterator[str]:
    if scene.knowledge and scene.is_short:
        yield scene.say("knowledge", lines="; ".join(clip(line, 46) for line in scene.knowledge[:3]))
    elif scene.knowledge:
        yield scene.say("knowledge", lines="").rstrip()
        yield from (f"  - {line}" for line in scene.knowledge[:_MOST_MEMORIES])


def _commands(scene: GreetingScene) -> Iterator[str]:
    listed = _LISTED.get(scene.session, _USUAL)
    commands = [one for one in scene.agent.commands if one.visibility in listed][:MOST_COMMANDS]
    if not commands:
        return
    if scene.user_level == POWER_USER or (scene.is_short and scene.user_level != VIBECODER):
        yield scene.say("commands", names=", ".join(one.name for one in commands))
        return
    yield scene.say("commands", names="").rstrip()
    yield from (f"  {one.name}  {one.description}".rstrip() for one in commands)


def _checklist(scene: GreetingScene) -> Iterator[str]:
    if scene.task:
        yield scene.say("task", task=scene.task)
    yield from (f"[ ] {line}" for line in (scene.checklist or scene.agent.checklist)[:_MOST_LINES])


def _missing(scene: GreetingScene) -> Iterator[str]:
    if scene.missing:
        yield scene.say("missing", names=", ".join(scene.say(f"part_{name}") for name in scene.missing))


def _footer(scene: GreetingScene) -> Iterator[str]:
    persona = scene.agent.persona
    if scene.is_short:
        return
    if scene.user_level == VIBECODER or scene.session == NEW:
        yield scene.say("leave")
    if persona and persona.signature:
        yield f"-- {persona.signature}"


_ALL = (_presentation, _role, _status, _context, _next, _memories, _knowledge, _commands, _missing, _footer)
# The sections that other executors are given (decision 7).
_OF_EXECUTOR = {
    "human": (_presentation, _checklist, _next, _missing),
    "clone": (_presentation, _role, _missing, _footer),
}
# Sections that are given up for lack of room, the first first.
_GIVEN_UP = (_footer, _role, _memories, _commands, _knowledge, _status, _context)
