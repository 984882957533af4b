"""What the user's state folder says of a conversation: the project in which it began, wherever its shell stands later,
and whether it is private. A file for each lies in the user's state folder, which the guard keeps from agents; no
checkout brings one."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.repository import find_layout
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import names_in, read_bytes, read_text, write_atomic
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.consent import admit
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace, bound_to, find_workspace, is_known, is_project, workspace_at

PRIVATE_FOLDER = "private"
ENDING = ".json"
# Ids of prompts that are kept, so that a copy of the conversation is recognised.
MOST_PROMPTS = 1000
# The word that switches, what stands before it, and the marks that people and editors put around it.
WORD, STARS, MARKS = "private", "*\u2217\u204e\u2731", " \t\r\n\\>_~`'\"\u2018\u2019\u201c\u201d\u00ab\u00bb"
# Letters of a prompt that are looked at.
OPENING = 200
_COMPATIBLE = "\uff00"
KEPT_OUT = "Part of this conversation is private, so agents keep nothing of it"
"""The answer to an agent that would keep something."""


def find_project(session: str, named: str, cwd: str) -> Workspace | None:
    """Return the project of a conversation, or what stands in for one that is not trusted; None where there is none.
    Its first event decides, by the folder that the host names (``named``), else by the working folder. Where no project
    is around that folder, the folder is remembered, and a project that is made around it later counts. What is gone is
    forgotten."""
    known, bound = _recall(session)
    found = _project_at(known, bound)
    if found is None:
        begun = known if os.path.basename(known) != FOLDER and os.path.isdir(known) else ""
        found = find_workspace(begun or os.path.abspath(named if os.path.isdir(named) else cwd))
        place = found.home if found else begun or os.path.abspath(named if os.path.isdir(named) else cwd)
    else:
        place = known
    admitted = admit(found, bound) if found else None
    state = admitted.state if admitted and not admitted.stranger else bound
    if session and (place, state) != (known, bound):
        _remember(session, place, state)
    return admitted


def known_project(session: str) -> Workspace | None:
    return _project_at(*_recall(session))


def conversations_folder() -> str:
    return os.path.join(state_folder(), "conversations")


class Private(Value):
    """A conversation that is private, or was. ``until`` is "" while it is paused; ``prompts``: the host's ids of those
    typed in private; ``told``: the person was shown that it is paused."""

    since: str
    until: str = ""
    prompts: tuple[str, ...] = ()
    told: bool = False

    @property
    def paused(self) -> bool:
        return not self.until


def may_switch(prompt: str) -> bool:
    """The prompt may open with the switch or with what resembles it, at a glance: a false alarm costs an import.
    Letters of other scripts open neither, but for compatible forms such as the full-width ones."""
    opening = prompt.lstrip()[:OPENING]
    if opening[:1] in ("/", "$"):
        from limpet.work.slash import read_slash  # which few prompts need

        if read_slash(opening)[0] == WORD:
            return True
    bare = opening.lstrip(f"{MARKS}{STARS}/")
    first = bare[:1]
    if not first.isascii():
        return not first.isalpha() or first >= _COMPATIBLE
    is_starred = not {*opening[: len(opening) - len(bare)]}.isdisjoint(f"{STARS}/")
    return (is_starred and first in "pP") or bare[: len(WORD)].lower() == WORD


def read_private(session: str) -> Private | None:
    """Return None where the conversation was never private. A mark that cannot be read counts as paused."""
    if not has_mark(session):
        return None
    found = read_object(read_text(private_path(session), STATE_BYTES))
    texts = {name: value for name in ("since", "until") if isinstance(value := found.get(name), str)}
    prompts = found.get("prompts")
    kept = tuple(each for each in prompts if isinstance(each, str)) if isinstance(prompts, list) else ()
    return Private(**{"since": "", **texts}, prompts=kept, told=found.get("told") is True)


def write_private(session: str, private: Private) -> None:
    fields = {**private.__dict__, "prompts": list(private.prompts[-MOST_PROMPTS:])}
    write_atomic(private_path(session), dumps(fields), follow=False)


def has_mark(session: str) -> bool:
    return bool(session) and os.path.lexists(private_path(session))


def any_private() -> bool:
    return os.path.isdir(_folder())


def private_prompts() -> frozenset[str]:
    found: set[str] = set()
    for name in names_in(_folder()):
        private = read_private(name.removesuffix(ENDING)) if name.endswith(ENDING) else None
        found.update(private.prompts if private else ())
    return frozenset(found)


def private_path(session: str) -> str:
    return os.path.join(_folder(), f"{safe_name(session)}{ENDING}")


def _project_at(place: str, state: str) -> Workspace | None:
    """``state``: a worktree's, which may have the main one's ``.limpet``."""
    root, name = os.path.split(place)
    if name != FOLDER or not (is_project(root) or is_known(root, find_layout(root))):
        return None
    workspace = workspace_at(root)
    return bound_to(workspace, state) if lies_in(workspace.data, state) and os.path.isdir(state) else workspace


def _recall(session: str) -> tuple[str, str]:
    """Return the ``.limpet`` of the project, where there was none the folder in which it began, and the state by which
    the conversation is bound since the user trusted the project; "" for what is not known."""
    text = os.fsdecode(read_bytes(_path(session), STATE_BYTES) or b"") if session else ""
    place, _, state = text.partition("\0")
    return place, state


def _remember(session: str, place: str, state: str) -> None:
    try:
        write_atomic(_path(session), os.fsencode(f"{place}\0{state}"), follow=False)
    except (OSError, UnicodeError):
        return


def _path(session: str) -> str:
    return os.path.join(conversations_folder(), safe_name(session))


def _folder() -> str:
    return os.path.join(state_folder(), PRIVATE_FOLDER)
