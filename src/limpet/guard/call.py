"""One tool call of an agent, in terms that no host names, the places that it touches, what the rules ask about it, and
their answer."""

from __future__ import annotations

import os
import sys

from limpet.ground.storage.files import read_shipped
from limpet.ground.text.globs import find_glob
from limpet.ground.values import Value
from limpet.ground.workspace import in_main_worktree
from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.shell.command import Understood

KINDS = ("shell", "write", "read", "search", "web", "agent", "tool", "question", "effect")
CANNOT_ASK = (
    "This client cannot ask the user, so the call is denied. The user can let it pass once: `limpet guard log`, then "
    "`limpet guard allow ID`."
)
ANSWERS = ("allow", "ask", "deny")  # from the mildest to the strictest
# A write of code, wherever it leads: of a folder of sources by a formatter, of files by a patch.
CODE = "code"
WRITING, READING = ("write", CODE), ("read",)
# What takes any text and keeps none.
_SINKS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd", "nul", "$null", "&")
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders")
_FOLDS = sys.platform in ("darwin", "win32")


class ToolCall(Value):
    """What a host is about to run for an agent.

    kind: ``effect`` for a file that was found changed; tool: the host's own name of the tool.
    command, shell: the line and its language (posix, powershell, cmd) of a shell call.
    paths: absolute, of reads, writes and searches.
    edits: (old text, new text, everywhere) of a write or an effect; a whole new text stands as ("", text, False), with
    whole=True.
    sent: texts that the call hands on to somebody, at once or later.
    hints: an MCP tool's readOnlyHint and destructiveHint.
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
    sent: tuple[str, ...] = ()


class BoundStory(Value):
    """The story in force; ``files``: globs of those it may touch."""

    id: str
    files: tuple[str, ...] = ()


class Scene(Value):
    """What the rules know beside the call.

    agent: a sub-agent's own for its calls, "" for none.
    starter: the agent that started a sub-agent and has less authority than its own, so that both count; else "".
    earlier, following: the agents of the workflow's steps before and after the agent's own.
    mode: planning, build or deploy, "" without a workflow.
    permission: explore, ask or auto where a person set one, else "".
    host_mode: the host's own (default, plan, acceptEdits, bypassPermissions), "" where it says none.
    owners: the agent that owns each private memory folder, by absolute path.
    kept: absolute folders that Limpet alone reads and writes (cache, events).
    settings: the section ``guard`` of the settings.
    """

    root: str
    agent: str = ""
    starter: str = ""
    workflow: str = ""
    earlier: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    mode: str = ""
    permission: str = ""
    host_mode: str = ""
    story: BoundStory | None = None
    owners: Mapping[str, str] = {}  # noqa: RUF012 - never changed: a Value is frozen
    kept: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}  # noqa: RUF012 - never changed: a Value is frozen


class Verdict(Value):
    """answer: one of ANSWERS; rule: its stable id; reason: one plain sentence and what to do.
    agent: whom to hand the act to, "" for nobody; target: the path or name the act touches.
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
    if verdict.answer != "ask" or can_ask():
        return verdict
    return verdict.replace(answer="deny", reason=f"{verdict.reason} {CANNOT_ASK}")


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """The first of equals; ALLOW where there is none."""
    return max(verdicts, key=lambda verdict: ANSWERS.index(verdict.answer), default=ALLOW)


class Case(Value):
    """What every rule is given.

    understood: None for what is no shell command.
    before: the text of the file that is written, None where it is new or not needed.
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
        """The text of the file as the call leaves it, None where it will fail."""
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
        return memory_owners_of(kind, self.table, self.scene.settings)

    def kinds(self, *kinds: str) -> tuple[Act, ...]:
        return tuple(act for act in self.acts if act.kind in kinds)


def read_table() -> dict[str, Any]:
    """The data as ``framework/schemas/guard.schema.json`` describes it."""
    return read_shipped("guard")


def memory_owners_of(kind: str, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
    known = table["authority"].get(kind)
    return tuple(settings.get("authority", {}).get(kind) or known["agents"]) if known else ()


class TargetPlace(Value):
    """path: absolute, links followed, but for the last part of what was found changed: there the link itself is.
    inside: from the root with ``/``, in a linked worktree from that one's; "." for the root itself, "" elsewhere.
    named: whether a tool was given the path, so that it is exact; a shell's may be a guess, such as ".".
    is_code: whether what is written there is code, by what the act does.
    """

    path: str
    inside: str
    act: str
    named: bool = True
    is_code: bool = False

    def is_one_of(self, globs: Iterable[str]) -> bool:
        return bool(find_glob(globs, self.inside or self.path.replace(os.sep, "/")))


def places_of(call: ToolCall, acts: Iterable[Act], scene: Scene, writing: bool) -> tuple[TargetPlace, ...]:
    """Those that a call writes, or those that it reads; a path that is not known is left out."""
    found: list[TargetPlace] = []
    if call.kind in (("write", "effect") if writing else ("read", "search")):
        found += [_place(path, scene, path, call.kind != "effect") for path in call.paths]
    wanted = WRITING if writing else READING
    for act in acts:
        if act.kind not in wanted:
            continue
        if call.kind == "tool":
            found += [_place(path, scene, act.text) for path in call.paths]
        elif not (UNKNOWN in act.target or act.target.lower() in _SINKS or act.target.startswith(("/dev/fd/", "&"))):
            path = os.path.join(call.folder or scene.root, os.path.expanduser(act.target or "."))
            is_named = not act.is_wide and act.target not in ("", ".")
            found.append(_place(path, scene, act.text).replace(named=is_named, is_code=act.kind == CODE))
    return tuple(found)


def lies_in_folder(path: str, folder: str) -> bool:
    """Both without links; a glob in the path means what it may mean."""
    wanted, found = _parts(folder), _parts(path)
    return len(found) >= len(wanted) and all(_may_be(one, other) for one, other in zip(found, wanted, strict=False))


def is_scratch(place: TargetPlace, table: Mapping[str, Any]) -> bool:
    """Whether a place holds what tools make and make again: build output and caches, temporary files elsewhere."""
    if place.inside:
        return place.is_one_of(table["places"]["scratch"])
    named = map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))
    temporary = [os.path.realpath(folder) for folder in (*named, *_TEMPORARY) if folder]
    return any(lies_in_folder(place.path, each) for each in temporary)


def _place(path: str, scene: Scene, act: str, follows: bool = True) -> TargetPlace:
    folder, name = os.path.split(path)
    found = os.path.realpath(path) if follows else os.path.join(os.path.realpath(folder), name)
    root = os.path.realpath(scene.root)
    seen = next((each for each in (in_main_worktree(found), found) if each and lies_in_folder(each, root)), "")
    below = os.path.relpath(seen, root) if seen else ""
    return TargetPlace(path=found, inside=below.replace(os.sep, "/"), act=act)


def _parts(path: str) -> list[str]:
    path = os.path.normcase(path).replace(os.sep, "/")
    return (path.casefold() if _FOLDS else path).rstrip("/").split("/")


def _may_be(pattern: str, name: str) -> bool:
    """Of a glob's names those with a dot only where it has that too; brackets and braces may stand for anything."""
    if pattern == name:
        return True
    if not any(sign in pattern for sign in "*?[{"):
        return False
    is_hidden = name[:1] == "." and pattern[:1] != "."
    return any(sign in pattern for sign in "[{") or (not is_hidden and bool(find_glob((pattern,), name)))
