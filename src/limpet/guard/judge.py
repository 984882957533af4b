"""What the guard answers to a tool call, and to what happened while an agent was at work, judged as if each change had
been a call of its own: what a program does cannot be read off the words that start it (decision 58)."""

from __future__ import annotations

import os

from limpet.ground.values import Value
from limpet.guard.call import Case, ToolCall, places_of, read_table
from limpet.guard.rules import permission, private, scopes, secrets
from limpet.guard.shell.command import UNKNOWN, ShellCommand, Understood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from limpet.guard.acts import Act
    from limpet.guard.call import Scene, Verdict

    Rule = Callable[[Case], Iterator[Verdict]]

# Stands where a part of a command is not known.
HIDDEN = "..."
# Letters of a line of a private memory that nobody writes twice by chance.
_TELLING = 30
# In the order in which reasons are worth telling.
RULES: tuple[Rule, ...] = (
    secrets.judge_secrets,
    private.judge_private,
    private.judge_registration,
    permission.judge_authority,
    permission.judge_switching,
    scopes.judge_story_sections,
    secrets.judge_destructive,
    scopes.judge_scopes,
    permission.judge_permission,
    permission.judge_unclear,
)


class Judgement(Value):
    """``verdicts``: the strictest counts; none where no rule is concerned.
    ``opaque``: the call may change files that it does not name: it is not understood, or runs what is not known.
    """

    verdicts: tuple[Verdict, ...]
    opaque: bool


def judge_tool_call(
    call: ToolCall, scene: Scene, understood: Understood | None = None, before: str | None = None
) -> Judgement:
    """``understood`` is that of a shell command. ``before`` is the text of the one file that is written, where it is a
    story or is written whole; None for a new one."""
    acts = acts_in(call, scene, understood)
    case = Case(
        call=call,
        scene=scene,
        acts=acts,
        written=places_of(call, acts, scene, writing=True),
        read=places_of(call, acts, scene, writing=False),
        understood=understood,
        before=before,
        table=read_table(),
    )
    others = _judge(case.replace(scene=scene.replace(agent=scene.starter))) if scene.starter else ()
    verdicts = (*_judge(case), *(_of_starter(verdict, scene) for verdict in others if verdict.answer != "allow"))
    is_unclear = understood is not None and not understood.clear
    # A substitution within quotes may be run by another program or by an expansion.
    quoted = "'".join(call.command.split("'")[1::2])
    is_hidden = any(sign in quoted for sign in ("$(", "`"))
    return Judgement(verdicts, is_unclear or is_hidden or any(act.is_opaque for act in acts))


def acts_in(call: ToolCall, scene: Scene, understood: Understood | None) -> tuple[Act, ...]:
    """None but of a shell command and of a tool whose acts are known."""
    if understood is None and call.kind != "tool":
        return ()
    from limpet.guard.acts import acts_of, acts_of_tool  # here: writes and reads need none of it

    return acts_of_tool(call, scene) if understood is None else acts_of(understood)


class FileEffect(Value):
    """``path``: of a file that is not as it was, from the root, with ``/``.
    ``before``, ``after``: None where there was or is none, "" where it is not known.
    """

    path: str
    before: str | None
    after: str | None


class Effect(Value):
    """Something that happened, and that the agent may not do; ``target`` is a path, a commit or a branch."""

    rule: str
    says: str
    target: str


def judge_changes(changes: Iterable[FileEffect], scenes: tuple[Scene, ...]) -> tuple[Effect, ...]:
    found = []
    for change in changes:
        path = os.path.join(scenes[0].root, *change.path.split("/"))
        call = ToolCall(kind="effect", paths=(path,), edits=(("", change.after or "", False),), whole=True)
        verdict = _agreed(call, scenes, None, change.before)
        if verdict:
            found.append(Effect(verdict.rule, verdict.reason, change.path))
    return tuple(found)


def judge_act(words: tuple[str, ...], target: str, scenes: tuple[Scene, ...]) -> tuple[Effect, ...]:
    understood = Understood((ShellCommand(words=words),))
    call = ToolCall(kind="shell", command=" ".join(words), folder=scenes[0].root)
    verdict = _agreed(call, scenes, understood, None)
    return (Effect(verdict.rule, verdict.reason, target),) if verdict else ()


def find_copied(changes: Iterable[FileEffect], memories: Mapping[str, str]) -> tuple[Effect, ...]:
    """The changed files that hold a line of another agent's memories; ``memories``: a text -> whose it is."""
    lines: dict[str, str] = {}
    for text, owner in memories.items():
        stripped = (line.strip() for line in text.splitlines())
        lines.update((line, owner) for line in stripped if len(line) >= _TELLING and " " in line)
    found = []
    for change in changes:
        old = {*(change.before or "").splitlines()}
        added = "\n".join(line for line in (change.after or "").splitlines() if line not in old)
        owner = next((owner for line, owner in lines.items() if line in added), "")
        if owner:
            found.append(Effect(private.MEMORY, f"It holds a private memory of {owner}.", change.path))
    return tuple(found)


def _judge(case: Case) -> tuple[Verdict, ...]:
    found: list[Verdict] = []
    for rule in RULES:
        found += [_answerable(_readable(verdict), case) for verdict in rule(case) if _counts(verdict, case)]
    return tuple(found)


def _answerable(verdict: Verdict, case: Case) -> Verdict:
    stands = verdict.answer == "ask" and case.table["rules"][verdict.rule].get("stands")
    if not stands or case.scene.host_mode not in case.table["host_modes_that_answer"]:
        return verdict
    return verdict.replace(answer="deny", reason=f"{verdict.reason} Refused: in this mode the client asks nobody.")


def _of_starter(verdict: Verdict, scene: Scene) -> Verdict:
    way = f"To let sub-agents of this type act as {scene.agent}, the user adds it to guard.subagents."
    return verdict.replace(reason=f"{scene.agent} was started by {scene.starter}: {verdict.reason} {way}")


def _readable(verdict: Verdict) -> Verdict:
    texts = {name: getattr(verdict, name) for name in ("reason", "act", "target")}
    shown = {name: text.replace(UNKNOWN, HIDDEN) for name, text in texts.items() if UNKNOWN in text}
    return verdict.replace(**shown) if shown else verdict


def _counts(verdict: Verdict, case: Case) -> bool:
    scene, row = case.scene, case.table["rules"][verdict.rule]
    if not scene.settings.get("rules", {}).get(row["switch"], True):
        return False
    if verdict.answer != "ask" or row.get("stands") or scene.permission in case.table["permissions"]:
        return True
    return scene.permission != "auto" and scene.host_mode not in case.table["host_modes_without_questions"]


def _agreed(
    call: ToolCall, scenes: tuple[Scene, ...], understood: Understood | None, before: str | None
) -> Verdict | None:
    found: list[Verdict | None] = []
    for scene in scenes:
        verdicts = judge_tool_call(call, scene, understood, before).verdicts
        found.append(next((each for each in verdicts if each.answer == "deny" or each.rule == scopes.MODE), None))
    return found[0] if all(found) else None
