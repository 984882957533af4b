"""Puts one line into the repository's ``pre-push``, beside whatever stands there, and takes it out again."""

from __future__ import annotations

import os
import re

from limpet.ground.errors import LimpetError
from limpet.ground.git import is_tracked, setting
from limpet.ground.repository import find_repository, hooks_folder
from limpet.ground.storage.files import read_bytes
from limpet.hosts.commands.interpreter import slashed
from limpet.hosts.commands.launcher import EXECUTABLE, launcher_path
from limpet.hosts.commands.quoting import double_quoted
from limpet.hosts.file_changes import Change, Plan, read_text_strictly
from limpet.hosts.git_hook import REFUSED

NAME = "pre-push"
MARK = "# limpet: asks the guard"
SHELL = "#!/bin/sh"
_SHELL = re.compile(r"#!\s*\S*/(?:env +)?(?:ba|da|z|k)?sh\b")


def hook_line() -> str:
    """Return the line: a Limpet that is not there stops no push, and git's input is left to the lines below."""
    launcher = double_quoted(slashed(launcher_path()))
    return f"[ ! -x {launcher} ] || {{ {launcher} git {NAME} </dev/null; [ $? -ne {REFUSED} ] || exit 1; }} {MARK}"


def hook_path(root: str) -> str:
    """Return the path of the hook that git runs in the repository around ``root``. Raises LimpetError outside one."""
    repository = find_repository(root)
    if repository is None:
        raise LimpetError("No git repository here", root, "Run: git init")
    own = setting(root, "core.hooksPath")
    folder = os.path.join(repository.root, os.path.expanduser(own)) if own else hooks_folder(repository)
    return os.path.join(folder, NAME)


def is_installed(root: str) -> bool:
    """Return whether git asks the guard before a push in the repository around ``root``."""
    return find_repository(root) is not None and hook_line() in _text(hook_path(root)).splitlines()


def plan_pre_push(root: str) -> Plan:
    """Return the change that has git ask the guard. Raises LimpetError where the hook is in git, or no shell script:
    then the person adds the line."""
    path, line = hook_path(root), hook_line()
    before, text = read_text_strictly(path)
    first, _, rest = text.partition("\n")
    own = f"add this line to it yourself, near its top:\n{line}"
    if before is not None and is_tracked(root, path):
        raise LimpetError("The repository's own hook is in git", path, own)
    if before is not None and not _SHELL.match(first):
        raise LimpetError("The hook is no shell script", path, own)
    kept = "\n".join(each for each in rest.splitlines() if MARK not in each)
    after = "\n".join(filter(None, (first or SHELL, line, kept))) + "\n"
    return Plan((Change(path, "has git ask the guard before a push", before, after.encode(), mode=EXECUTABLE),))


def plan_pre_push_removal(root: str) -> Plan:
    """Return the change that takes our line out of the hook; one that holds nothing else goes."""
    if find_repository(root) is None:
        return Plan()
    path = hook_path(root)
    before = read_bytes(path)
    if before is None or MARK.encode() not in before:
        return Plan()
    kept = [line for line in before.splitlines(keepends=True) if MARK.encode() not in line]
    after = b"".join(kept) if any(line.strip() for line in kept[1:]) else None
    return Plan((Change(path, "the guard's line goes", before, after),))


def _text(path: str) -> str:
    return (read_bytes(path) or b"").decode("utf-8", "replace")
