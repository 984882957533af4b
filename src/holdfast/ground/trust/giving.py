"""Gives and takes back the user's trust in a project, and lists whom it was given to. Only commands write here; the
hook reads (``consent``)."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.json_text import dumps
from holdfast.ground.storage.durable import create_file, delete_file, make_folder, write_durably
from holdfast.ground.storage.user_folders import PROJECTS, state_folder
from holdfast.ground.trust.consent import (
    NAME,
    Consent,
    consent_path,
    consent_paths,
    find_consent,
    owner_of,
    read_consent,
    signed_text,
)
from holdfast.ground.trust.key import BYTES, key_path, read_key, sign
from holdfast.ground.workspace import Workspace

REFUSED = "Cannot write ({})"
ELSEWHERE = "Make it writable, or set XDG_STATE_HOME to another folder."


def give_trust(workspace: Workspace, agreed: dict[str, Any], now: float) -> Consent:
    """Record that the user trusts the project, and agreed to these values of acting settings.

    Raises HoldfastError where the state folder cannot be written.
    """
    consent = Consent(
        root=os.path.realpath(workspace.root),
        owner=owner_of(workspace.home),
        at=iso(now),
        place=place_of(workspace.root),
        agreed=agreed,
    )
    path = consent_path(workspace.home)
    text = dumps({**consent.__dict__, "place": list(consent.place)}).encode("utf-8", "surrogatepass")
    try:
        mark = sign(signed_text(path, text), make_key())
        write_durably(path, mark.encode() + b"\n" + text)
    except OSError as error:
        raise HoldfastError(REFUSED.format(error.strerror), state_folder(), ELSEWHERE) from error
    return consent


def revoke_trust(workspace: Workspace) -> bool:
    """Take the trust in a project back; return whether there was any. Raise HoldfastError."""
    found = [path for path in consent_paths(workspace) if os.path.lexists(path)]
    for path in found:
        _delete(path)
    return bool(found)


def trusted_projects() -> dict[str, Consent]:
    """Return the path of each record -> the consent in it, by the project's folder."""
    folder = os.path.join(state_folder(), PROJECTS)
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    found = {path: read_consent(path) for path in (os.path.join(folder, name, NAME) for name in names)}
    known = {path: consent for path, consent in found.items() if consent}
    return dict(sorted(known.items(), key=lambda pair: pair[1].root))


def refuse_untrusted(workspace: Workspace) -> None:
    """Raise HoldfastError for a project that the user does not trust."""
    if find_consent(workspace):
        return
    former = former_place(workspace)
    what = (
        f"This project was moved from {former.root} and is not trusted here"
        if former
        else "This project is not trusted"
    )
    raise HoldfastError(what, workspace.root, "To review and trust it, run: holdfast trust")


def former_place(workspace: Workspace) -> Consent | None:
    """Return the consent of the same folder under the path that it had before it was moved, None for none."""
    here = place_of(workspace.root)
    moved = (one for one in trusted_projects().values() if one.place == here and not os.path.lexists(one.root))
    return next(moved, None)


def forget_moved(consent: Consent) -> None:
    """Remove the record under the path that a project had before it was moved. Raise HoldfastError."""
    for path, other in trusted_projects().items():
        if other == consent:
            _delete(path)


def place_of(root: str) -> tuple[int, int]:
    """Return device and inode of a folder."""
    about = os.stat(root)
    return about.st_dev, about.st_ino


def make_key() -> bytes:
    """Return the user's key, made where there is none that can be used. Raise OSError."""
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


def _delete(path: str) -> None:
    try:
        delete_file(path)
    except OSError as error:
        raise HoldfastError(REFUSED.format(error.strerror), path, ELSEWHERE) from error
