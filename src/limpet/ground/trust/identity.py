"""What a trusted folder is known by at each use, so that trust does not pass to another one at its path: a random line
in its ``.limpet`` that no clone carries, and the address of its repository's remote. No git is run."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import open_regular, read_text
from limpet.ground.workspace import main_root

NAME = ".identity"
"""The file in ``.limpet``, which git ignores: a line for each user, machine or container that trusts the folder."""

_NONCES, _CONFIG = 4096, 65_536


def read_nonces(home: str) -> list[str]:
    """Return the random lines in the project's ``.limpet``."""
    return (read_text(os.path.join(home, NAME), _NONCES) or "").split()


def place_of(root: str) -> tuple[int, int]:
    """Return device and inode of a folder, (0, 0) for one that is not there."""
    try:
        about = os.stat(root)
    except OSError:
        return 0, 0
    return about.st_dev, about.st_ino


def read_remote(root: str) -> str:
    """Return the address of the remote of the repository around ``root``, ``origin`` or else the first: host and path,
    however it is reached; "" for none. Reads the start of the repository's own configuration file, and no other."""
    top = main_root(root)
    if not top:
        return ""
    folder = os.path.join(top, ".git")
    pointer = read_text(folder, STATE_BYTES)
    if pointer and pointer.startswith("gitdir:"):  # a submodule's, or that of a worktree of a bare repository
        folder = os.path.join(top, pointer.removeprefix("gitdir:").strip())
        folder = os.path.join(folder, (read_text(os.path.join(folder, "commondir"), STATE_BYTES) or "").strip())
    return _remote_in(_read_start(os.path.join(folder, "config")))


def _read_start(path: str) -> str:
    handle = open_regular(path)
    if handle is None:
        return ""
    try:
        return os.read(handle, _CONFIG).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(handle)


def _remote_in(text: str) -> str:
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            kind, _, rest = line[1:].partition(" ")
            name = rest.strip(' "]') if kind.lower() == "remote" else ""
        elif name and line[:3].lower() == "url":
            key, divider, value = line.partition("=")
            if divider and key.strip().lower() == "url":
                found.setdefault(name, _address(value))
    return found.get("origin") or next(iter(found.values()), "")


def _address(url: str) -> str:
    """Return ``host/path`` of a remote's address, without what may be a password: https and ssh name one repository."""
    scheme, divider, rest = url.strip(' \t"').partition("://")
    authority, slash, path = (rest if divider else scheme).partition("/")
    authority = authority.rpartition("@")[2]
    whole = f"{authority if divider else authority.replace(':', '/', 1)}{slash}{path.partition('?')[0]}"
    return whole.rstrip("/").removesuffix(".git")
