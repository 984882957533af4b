"""Gives and takes back the user's trust in a project, and lists whom it was given to. Only commands write here; the
hook reads (``consent``)."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest, safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.repository import ID, GitLayout, find_layout, read_id
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.durable import create_file, delete_file, make_folder, write_durably
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.storage.user_folders import LONGEST, data_folder
from limpet.ground.text.escaping import clip
from limpet.ground.trust.consent import (
    LAPSED,
    MOVED,
    Consent,
    consent_path,
    consent_paths,
    consent_purpose,
    difference,
    find_consent,
    find_lapsed,
    inode_of,
    owner_of,
    read_consent,
)
from limpet.ground.trust.signed import BYTES, key_path, read_key, signed_record
from limpet.ground.workspace import BELOW, TRUST, Workspace, workspace_at

REFUSED = "Cannot write ({})"
ELSEWHERE = "Make it writable, or set LIMPET_DATA to another folder."
LOG = ".jsonl"
_SHOWN = 100
KeyPath = tuple[str, ...]
ACTING: tuple[KeyPath, ...] = tuple(
    tuple(key.split("."))
    for key in (
        "recovery retention hosts context.allowances_ms context.total_ms rules.checks rules.check_seconds memory.reads"
        " memory.undo_days memory.copies memory.capture_model memory.extraction work.gate work.approve"
        " work.lock.instruction_file work.checks work.check_seconds guard"
    ).split()
)
"""Sections and settings, by their key paths."""
TIGHTENING: tuple[tuple[KeyPath, object], ...] = (
    (("guard", "permission"), "explore"),
    (("guard", "unclear"), "deny"),
    (("guard", "rules"), True),
)
"""Values of sections and settings that act which only make the guard stricter, and so need nobody's word."""


def give_trust(workspace: Workspace, agreed: dict[str, Any], now: float, born: str = "", former: str = "") -> Workspace:
    """Return the project as it is found from now on: its repository has an id. ``born``: the id of the repository's
    first commit. ``former``: the record of the project that this one was, whose private files come along first, so that
    nothing is written in their places. Raises LimpetError where the data folder cannot be written."""
    layout = find_layout(workspace.root)
    known = _identify(layout) if layout else ""
    workspace = workspace_at(workspace.root)
    _refuse_second(workspace, layout)
    if former:
        _take_over(workspace, former)
    root = os.path.realpath(workspace.root)
    if layout and layout.worktree and layout.main:
        root = os.path.realpath(os.path.join(layout.main, os.path.relpath(workspace.root, layout.top)))
    consent = Consent(
        root=root,
        owner=owner_of(workspace.root),
        at=iso(now),
        agreed=agreed,
        id=known,
        common=os.path.realpath(layout.common) if layout and known else "",
        inode=inode_of(root),
        born=born,
    )
    path = consent_path(workspace)
    try:
        write_durably(path, signed_record(consent.__dict__, consent_purpose(path), make_key()))
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), data_folder(), ELSEWHERE) from error
    if former not in ("", path):
        _delete(former)
    return workspace


def revoke_trust(workspace: Workspace) -> bool:
    """False where there was none. What is private stays. Raise LimpetError."""
    path = consent_path(workspace)
    if not os.path.lexists(path):
        return False
    _delete(path)
    return True


def forget_project(workspace: Workspace) -> None:
    """Delete all that is private of it, and the repository's id where no other project needs it. Raise LimpetError."""
    try:
        if os.path.isdir(workspace.data):
            shutil.rmtree(workspace.data)
        layout = find_layout(workspace.root)
        known = read_id(layout) if layout else ""
        if layout and known and not any(one.id == known for one in trusted_projects().values()):
            delete_file(os.path.join(layout.common, ID))
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), workspace.data, ELSEWHERE) from error


def trusted_projects() -> dict[str, Consent]:
    """The path of each record -> the consent in it, by the project's folder."""
    found = {path: read_consent(path) for path in consent_paths()}
    known = {path: consent for path, consent in found.items() if consent}
    return dict(sorted(known.items(), key=lambda pair: pair[1].root))


def use_above(above: Workspace, root: str) -> None:
    """Let the repository at ``root`` use the project above it. Raise LimpetError."""
    path = os.path.join(above.data, BELOW)
    known = (read_text(path, STATE_BYTES) or "").splitlines()
    try:
        write_durably(path, "".join(f"{line}\n" for line in dict.fromkeys((*known, os.path.realpath(root)))))
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), above.data, ELSEWHERE) from error


def refuse_untrusted(workspace: Workspace) -> None:
    if find_consent(workspace):
        return
    hint = f"{why_untrusted(workspace)}. To review and trust it, run: limpet trust"
    raise LimpetError("This project is not trusted", workspace.root, hint)


def why_untrusted(workspace: Workspace) -> str:
    consent, why = find_lapsed(workspace) or (None, "")
    if consent is None:
        return "You have not trusted it"
    return LAPSED[why].format(consent.at[:10]) + (f", from {clip(consent.root, _SHOWN)}" if why == MOVED else "")


def make_key() -> bytes:
    """Made where there is none that can be used. Raise OSError."""
    if found := read_key():
        return found
    path = key_path()
    os.makedirs(os.path.dirname(os.path.dirname(path)), exist_ok=True)
    make_folder(os.path.dirname(path))
    with suppress(FileExistsError):
        create_file(path, os.urandom(BYTES))
    found = read_key()
    if found is None:  # spoilt, or open to others: what it signed counts for nothing any more
        delete_file(path)
        create_file(path, os.urandom(BYTES))
        found = read_key()
    if found is None:
        raise PermissionError(1, "other users can read the key", path)
    return found


def is_acting(path: KeyPath, value: object) -> bool:
    for strict, wanted in TIGHTENING:
        if path[: len(strict)] == strict and value == wanted:
            return False
    return any(path[: len(acting)] == acting for acting in ACTING)


def _refuse_second(workspace: Workspace, layout: GitLayout | None) -> None:
    """A ``.git`` file that points to the repository of another folder, which is there, makes no worktree of it."""
    here = read_consent(consent_path(workspace))
    is_main = layout is not None and not layout.worktree
    if (
        here
        and is_main
        and here.root != os.path.realpath(workspace.root)
        and not difference(here, workspace_at(here.root))
    ):
        raise LimpetError(f"Its .git points to the repository of {here.root}", workspace.root, "Make a worktree of it.")


def _identify(layout: GitLayout) -> str:
    """The id of the repository, made where it has none, or one of another repository that was copied; "" where git's
    folder cannot be written, or a project in it is known by its path already: with an id that would be another."""
    known, all_known = read_id(layout), trusted_projects().values()
    is_copy = bool(known) and any(
        one.id == known and one.common != os.path.realpath(layout.common) and os.path.exists(one.common)
        for one in all_known
    )
    top = os.path.realpath(layout.main or layout.top)
    by_path = any(not one.id and lies_in(top, one.root) and one.inode == inode_of(one.root) for one in all_known)
    if (known and not is_copy) or by_path:
        return known
    name = os.path.basename(os.path.realpath(layout.main or layout.top))
    made = f"{safe_name(name)[:LONGEST]}-{os.urandom(8).hex()}"
    try:
        write_durably(os.path.join(layout.common, ID), f"{made}\n", follow=False)
    except OSError:
        return ""
    return made


def _take_over(workspace: Workspace, record: str) -> None:
    """What was private of the project with that record becomes this one's, beside what this one has."""
    former = os.path.dirname(record)
    if former == workspace.data:
        return
    try:
        _merge(former, workspace.data)
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), workspace.data, ELSEWHERE) from error


def _merge(former: str, here: str) -> None:
    """A log that both have becomes a second one; of other files the one that is here stays. Done again where it was
    broken off, it goes on."""
    os.makedirs(here, exist_ok=True)
    for name in names_in(former):
        old, new = os.path.join(former, name), os.path.join(here, name)
        if name == TRUST:
            continue
        if not os.path.lexists(new):
            os.rename(old, new)
        elif os.path.isdir(old) and os.path.isdir(new):
            _merge(old, new)
        elif name.endswith(LOG):
            os.rename(old, f"{new.removesuffix(LOG)}-{digest(old)}{LOG}")


def _delete(path: str) -> None:
    try:
        delete_file(path)
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), path, ELSEWHERE) from error
