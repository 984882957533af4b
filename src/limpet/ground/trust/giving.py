"""Gives and takes back the user's trust in a project, and lists whom it was given to. Only commands write here; the
hook reads (``consent``)."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.storage.durable import create_file, delete_file, make_folder, write_durably
from limpet.ground.storage.files import names_in
from limpet.ground.storage.user_folders import PROJECTS, state_folder
from limpet.ground.text.escaping import clip
from limpet.ground.trust.consent import (
    IDENTITY_NAME,
    LAPSED,
    NAME,
    REMOTE_CHANGED,
    REPOSITORY_CHANGED,
    Consent,
    consent_path,
    consent_paths,
    consent_place_of,
    consent_purpose,
    file_owner_of,
    find_consent,
    find_lapsed,
    read_consent,
    read_nonces,
    read_remote,
)
from limpet.ground.trust.signed import BYTES, key_path, read_key, signed_record
from limpet.ground.workspace import Workspace

REFUSED = "Cannot write ({})"
ELSEWHERE = "Make it writable, or set XDG_STATE_HOME to another folder."
# So many others may have a line of their own in the file by which the folder is known.
_MOST_OTHERS = 20
_SHOWN = 100
KeyPath = tuple[str, ...]
ACTING: tuple[KeyPath, ...] = tuple(
    tuple(key.split("."))
    for key in (
        "recovery retention hosts context.allowances_ms context.total_ms rules.checks rules.check_seconds"
        " memory.undo_days memory.capture_model memory.extraction agents.activation work.gate work.approve"
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


def give_trust(workspace: Workspace, agreed: dict[str, Any], now: float, born: str = "") -> Consent:
    """``born``: the id of its repository's first commit. Raises LimpetError where the state folder cannot be
    written."""
    nonce = _nonce(workspace.home)
    consent = Consent(
        root=os.path.realpath(workspace.root),
        owner=file_owner_of(workspace.home),
        at=iso(now),
        place=consent_place_of(workspace.root),
        agreed=agreed,
        nonce=nonce,
        remote=read_remote(workspace.root),
        born=born,
    )
    path = consent_path(workspace.home)
    data = {**consent.__dict__, "place": list(consent.place)}
    try:
        write_durably(path, signed_record(data, consent_purpose(path), make_key()))
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), state_folder(), ELSEWHERE) from error
    return consent


def revoke_trust(workspace: Workspace) -> bool:
    """False where there was none. Raise LimpetError."""
    found = [path for path in consent_paths(workspace) if os.path.lexists(path)]
    for path in found:
        _delete(path)
    return bool(found)


def trusted_projects() -> dict[str, Consent]:
    """The path of each record -> the consent in it, by the project's folder."""
    folder = os.path.join(state_folder(), PROJECTS)
    paths = [os.path.join(folder, name, NAME) for name in names_in(folder)]
    found = {path: read_consent(path) for path in paths}
    known = {path: consent for path, consent in found.items() if consent}
    return dict(sorted(known.items(), key=lambda pair: pair[1].root))


def refuse_untrusted(workspace: Workspace) -> None:
    if find_consent(workspace):
        return
    hint = f"{why_untrusted(workspace)}. To review and trust it, run: limpet trust"
    raise LimpetError("This project is not trusted", workspace.root, hint)


def why_untrusted(workspace: Workspace) -> str:
    lapsed = find_lapsed(workspace)
    if lapsed is None:
        former = former_place(workspace)
        return f"It was trusted at {former.root} and has moved here" if former else "You have not trusted it"
    consent, why = lapsed
    before, now = (clip(each, _SHOWN) or "none" for each in (consent.remote, read_remote(workspace.root)))
    changed = {REMOTE_CHANGED: f", from {before} to {now}", REPOSITORY_CHANGED: f" (remote: {before}, now {now})"}
    return LAPSED[why].format(consent.at[:10]) + changed.get(why, "")


def former_place(workspace: Workspace) -> Consent | None:
    nonces, here = read_nonces(workspace.home), consent_place_of(workspace.root)
    moved = (one for one in trusted_projects().values() if not os.path.lexists(one.root))
    return next((one for one in moved if (one.nonce in nonces if one.nonce else one.place == here)), None)


def forget_moved(consent: Consent) -> None:
    """Raise LimpetError."""
    for path, other in trusted_projects().items():
        if other == consent:
            _delete(path)


def make_key() -> bytes:
    """Made where there is none that can be used. Raise OSError."""
    if found := read_key():
        return found
    path = key_path()
    os.makedirs(os.path.dirname(os.path.dirname(path)), exist_ok=True)
    make_folder(os.path.dirname(path))
    with suppress(FileExistsError):
        create_file(path, secrets.token_bytes(BYTES))
    found = read_key()
    if found is None:  # spoilt, or open to others: what it signed counts for nothing any more
        delete_file(path)
        create_file(path, secrets.token_bytes(BYTES))
        found = read_key()
    if found is None:
        raise PermissionError(1, "other users can read the key", path)
    return found


def is_acting(path: KeyPath, value: object) -> bool:
    for strict, wanted in TIGHTENING:
        if path[: len(strict)] == strict and value == wanted:
            return False
    return any(path[: len(acting)] == acting for acting in ACTING)


def _nonce(home: str) -> str:
    """The line by which the folder is known to this user, added to its file where none of theirs is there; "" where it
    cannot be written. What others wrote stays: a container may share the folder, and not the records."""
    nonces, known = read_nonces(home), read_consent(consent_path(home))
    if known and known.nonce in nonces:
        return known.nonce
    made = secrets.token_hex(16)
    text = "".join(f"{line}\n" for line in (*nonces[-_MOST_OTHERS:], made))
    try:
        write_durably(os.path.join(home, IDENTITY_NAME), text, 0o644, follow=False)
    except OSError:
        return ""
    return made


def _delete(path: str) -> None:
    try:
        delete_file(path)
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), path, ELSEWHERE) from error
