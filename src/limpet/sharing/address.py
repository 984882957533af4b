"""Addresses of repositories: which ones are taken as remotes, and what tells a project's from all others. Pure but for
where a path leads."""

from __future__ import annotations

import os
import re

from limpet.ground.errors import LimpetError

HINT = "Use one such as https://host/name.git, ssh://git@host/name.git, git@host:name.git or the path of a folder."
SERVER_HINT = "Use one such as https://limpet.example.com; http only for this machine itself."
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_URL = re.compile(
    r"(https|ssh)://(?P<user>[^@/\s]*@)?(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:]+\])(:[0-9]+)?/(?P<path>\S*)"
)
_SCP = re.compile(r"(?P<user>[\w.-]+@)?(?P<host>[A-Za-z0-9][\w.-]+):(?P<path>[^\s:/-][^\s:]*|/[^\s:]*)")


def read_remote(text: str) -> str:
    """Return the address as git takes it. Raise LimpetError for any that could run a program, or holds a password."""
    address = text.strip()
    found = _URL.fullmatch(address)
    if found and ":" in (found["user"] or ""):
        raise LimpetError("The address holds a password", hint="Leave it out: git's credential helper keeps it.")
    if address.startswith("-") or "::" in address or any(sign < " " for sign in address) or not address:
        raise LimpetError("Not an address of a remote", address, HINT)
    is_url = "://" in address
    if found or (not is_url and _SCP.fullmatch(address) and not os.path.exists(address)):
        return address
    path = os.path.abspath(os.path.expanduser(address))
    if is_url or not os.path.isdir(path):
        raise LimpetError("Not an address of a remote, and no folder", address, HINT)
    return os.path.realpath(path)


def read_server(text: str) -> str:
    """Return the address of a team's server. Raise LimpetError where a token would cross a network in the open."""
    from urllib.parse import urlsplit  # with much that few runs need

    try:
        url = urlsplit(text.strip().rstrip("/"))
        is_plain = not (url.username or url.password or url.query or url.fragment) and url.port != 0
    except ValueError:
        raise LimpetError("Not an address of a server", text, SERVER_HINT) from None
    is_safe = url.scheme == "https" or (url.scheme == "http" and url.hostname in LOOPBACK)
    if not (is_safe and is_plain and url.hostname) or any(sign <= " " for sign in url.geturl()):
        raise LimpetError("Not an address of a server", text, SERVER_HINT)
    return url.geturl()


def is_path(address: str) -> bool:
    return os.path.isabs(address)


def repository_name(address: str) -> str:
    """The same for every way to write it; "" for what is no address."""
    found = _URL.fullmatch(address) or _SCP.fullmatch(address)
    if not found:
        return os.path.realpath(address) if is_path(address) else ""
    path = found["path"].strip("/").removesuffix(".git")
    return f"{found['host'].lower()}/{path}"
