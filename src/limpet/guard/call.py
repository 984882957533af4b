"""One tool call of an agent, in terms that no host names, what the rules ask about it, and their answer."""

from __future__ import annotations

from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.places import TargetPlace
    from limpet.guard.shell.command import Understood

KINDS = ("shell", "write", "read", "search", "web", "agent", "tool", "question", "effect")
PERMISSIONS = ("explore", "ask", "auto")
CANNOT_ASK = (
    "This client cannot ask the user, so the call is denied. The user can let it pass once: `limpet guard log`, then "
    "`limpet guard allow ID`."
)
ANSWERS = ("allow", "ask", "deny")  # from the mildest to the strictest


class ToolCall(Value):
    """What a host is about to run for an agent.

    kind: one of KINDS, ``effect`` for a file that was found changed; tool: the host's own name of the tool.
    command, shell: the line and its language (posix, powershell, cmd) of a shell call.
    paths: absolute, of reads, writes and searches.
    edits: (old text, new text, everywhere) of a write or an effect; a whole new text stands as ("", text, False), with
    whole=True.
    hints: an MCP tool's readOnlyHint and destructiveHint, where the host tells them.
    folder: the absolute working folder.
    """

    kind: str
    tool: str = ""
    command: str = ""
    shell: str = "posix"
    paths: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, bool], ...] = ()
    whole: bool = False
    hints: Mapping[str, bool] = {}  # noqa: RUF012 - never changed: a Value is frozen
    folder: str = ""


class BoundStory(Value):
    """The story in force: its id, and the globs of the files it may touch."""

    id: str
    files: tuple[str, ...] = ()


class Scene(Value):
    """What the rules know beside the call.

    root, home: the project's folder and its .limpet folder, absolute.
    agent: the id in force, a sub-agent's own for its calls, "" for none.
    starter: the agent that started a sub-agent and has less authority than its own, so that both count; else "".
    workflow, mode: of the work under way; mode is planning, build or deploy, "" without a workflow.
    permission: one of PERMISSIONS where a person set one, else "".
    host_mode: the host's own (default, plan, acceptEdits, bypassPermissions), "" where it says none.
    owners: the agent that owns each private memory folder, by absolute path.
    kept: absolute folders that Limpet alone reads and writes (cache, events).
    settings: the section ``guard`` of the settings.
    """

    root: str
    home: str
    agent: str = ""
    starter: str = ""
    workflow: str = ""
    mode: str = ""
    permission: str = ""
    host_mode: str = ""
    story: BoundStory | None = None
    owners: Mapping[str, str] = {}  # noqa: RUF012 - never changed: a Value is frozen
    kept: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}  # noqa: RUF012 - never changed: a Value is frozen


class Verdict(Value):
    """One rule's answer.

    answer: one of ANSWERS; rule: the stable id of the rule; reason: one plain sentence and what to do.
    agent: whom to hand the act to, "" for nobody; act: its text; target: the path or name it touches.
    once: what is asked once in a conversation, "" where every time.
    """

    answer: str
    rule: str = ""
    reason: str = ""
    agent: str = ""
    act: str = ""
    target: str = ""
    once: str = ""


ALLOW = Verdict("allow")


def as_client_can(verdict: Verdict, can_ask: Callable[[], bool]) -> Verdict:
    """Return a question as a denial where the client cannot ask it."""
    if verdict.answer != "ask" or can_ask():
        return verdict
    return verdict.replace(answer="deny", reason=f"{verdict.reason} {CANNOT_ASK}")


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest verdict, the first of equals; ALLOW where there is none."""
    return max(verdicts, key=lambda verdict: ANSWERS.index(verdict.answer), default=ALLOW)


class Case(Value):
    """What every rule is given.

    acts: what a shell command or a tool does; written, read: the places that the call writes and reads.
    understood: None for what is no shell command.
    before: the text of the file that is written, None where it is new or not needed.
    table: the guard's data.
    """

    call: ToolCall
    scene: Scene
    acts: tuple[Act, ...]
    written: tuple[TargetPlace, ...]
    read: tuple[TargetPlace, ...]
    understood: Understood | None
    before: str | None
    table: Mapping[str, Any]

    def after(self) -> str | None:
        """Return the text of the file as the call leaves it, None where it will fail."""
        text = self.before
        for old, new, everywhere in self.call.edits:
            if self.call.whole:
                return new
            if text is None or old not in text:
                return None
            if not old:  # a patch adds it at the end
                text += new
            else:
                text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
        return text

    def owners(self, kind: str) -> tuple[str, ...]:
        """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
        return memory_owners_of(kind, self.table, self.scene.settings)

    def kinds(self, *kinds: str) -> tuple[Act, ...]:
        return tuple(act for act in self.acts if act.kind in kinds)


def read_table() -> dict[str, Any]:
    """Return the data as ``framework/schemas/guard.schema.json`` describes it."""
    return read_shipped("guard")


def memory_owners_of(kind: str, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
    known = table["authority"].get(kind)
    return tuple(settings.get("authority", {}).get(kind) or known["agents"]) if known else ()
