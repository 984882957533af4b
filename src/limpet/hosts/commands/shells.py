"""What the shells of each client find by our bare name: asked at ``init`` and, once a day, when a conversation starts,
where the process has the client's own PATH, and seen by each command that an agent runs; noted for the hook
(``ground.own_name``). Separate from ``upkeep``, which starts no shell."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress

from limpet.ground.own_name import command_path, last_found, note_found
from limpet.ground.storage.files import read_bytes, read_shipped
from limpet.ground.storage.user_folders import NAME
from limpet.hosts.commands.launcher import here, launcher_path, read_launcher, single_quoted
from limpet.hosts.commands.lines import run_line

# Seconds that a shell has to read its start files.
PATIENCE = 10.0
SHELLS = ("bash", "zsh", "ksh", "dash", "sh")
# Start files may print too.
QUESTION = f'printf "\\n@%s@\\n" "$(command -v {NAME})"'


def note_shells(hosts: Iterable[str], now: float) -> None:
    """What a command saw counts for more than a kind of shell that the client may not use, while PATH has it. Raise
    OSError."""
    for host in hosts:
        found = [is_ours(path) for path in find_in_shells(host)]
        if last_found(host)[2]:
            note_found(host, found[0], now, seen=found[0])
        else:
            note_found(host, all(found), now)


def note_own_shell(host: str, now: float) -> None:
    """A command that a client runs under the bare name, with the PATH that its hooks have, shows that its shell keeps
    that PATH, whatever the start files of another would make of it. Nothing is noted before the shells were asked."""
    is_found, asked, _ = last_found(host)
    is_typed = os.path.basename(sys.argv[0]) == NAME  # a job of ours has no shell around it
    if is_typed and asked and not is_found and sys.platform != "win32" and is_ours(shutil.which(NAME) or ""):
        with suppress(OSError):
            note_found(host, True, now, seen=True)


def find_in_shells(host: str) -> tuple[str, ...]:
    """What the bare name is in each kind of shell that the client runs, "" for nothing."""
    if sys.platform == "win32":
        return ("",)
    kinds = read_shipped("clients")["clients"].get(host, {}).get("shells", ("-c",))
    return tuple(_ask(kind) for kind in kinds)


def find_mistaken_name() -> tuple[str, str]:
    """What is wrong with the bare name where a person types it, and what to do; ("", "") for nothing. What an active
    environment adds to PATH is in no other terminal."""
    active, folders = os.environ.get("VIRTUAL_ENV", ""), os.environ.get("PATH", "").split(os.pathsep)
    path = os.pathsep.join(each for each in folders if not active or os.path.dirname(each) != active)
    found, folder = shutil.which(NAME, path=path) or "", os.path.dirname(command_path())
    if not found and os.path.isfile(command_path()):
        return f"`{NAME}` is not on PATH", f"add {folder} to it, or call the one in there"
    if not found or is_ours(found):
        return "", ""
    target = read_launcher(launcher_path()) or here()
    what = f"`{NAME}` is {found}, but the hooks run the Limpet in {target.root}"
    return what, f"remove one of the two, or put {folder} first on PATH"


def is_ours(path: str) -> bool:
    """Whether a program is the installation of the hooks, found without starting it: it may be anybody's."""
    target = read_launcher(launcher_path()) or here()
    if not os.path.isabs(path):  # nothing, or an alias
        return False
    real = os.path.realpath(path)
    is_beside = os.path.dirname(real) == os.path.realpath(os.path.dirname(target.python))
    first = (read_bytes(real) or b"").partition(b"\n")[0].removeprefix(b"#!").strip()
    return is_beside or real == os.path.realpath(command_path()) or first == os.fsencode(target.python)


def _ask(kind: str) -> str:
    """In the user's home, so that nothing of a project is found or run."""
    own = os.environ.get("SHELL", "")
    shell = own if os.path.isabs(own) and os.path.basename(own) in SHELLS else "/bin/bash"
    line = f"exec {single_quoted(shell if os.path.exists(shell) else '/bin/sh')} {kind} {single_quoted(QUESTION)}"
    try:
        done = run_line(line, b"", PATIENCE, os.path.expanduser("~"))
    except OSError:
        return ""
    told = [each for each in done.out.decode("utf-8", "replace").splitlines() if each[:1] == each[-1:] == "@"]
    return told[-1].strip("@") if told else ""
