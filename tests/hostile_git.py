"""Repositories that want to run a program of their own: each of these keys leaves a mark when git obeys it."""

import os
import subprocess

import pytest

from .hook_host import POSIX

_IDENTITY = {f"GIT_{who}_{what}": "x@y.z" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Trap:
    """A program that writes a mark, and the configuration that names it."""

    def __init__(self, folder):
        self.mark = os.path.join(folder, "ran")
        self.program = os.path.join(folder, "trap")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$0 $*" >> {self.mark}\ncat\n')
        os.chmod(self.program, 0o755)

    @property
    def has_run(self):
        return os.path.exists(self.mark)

    @property
    def config(self):
        return f"""
[core]
\tfsmonitor = {self.program}
\thooksPath = {os.path.dirname(self.program)}
\tpager = {self.program}
[diff]
\texternal = {self.program}
[diff "trap"]
\tcommand = {self.program}
\ttextconv = {self.program}
[filter "trap"]
\tclean = {self.program}
\trequired = true
[filter "tra.p two"]
\tclean = {self.program}
[log]
\tshowSignature = true
[gpg]
\tprogram = {self.program}
[pager]
\tlog = {self.program}
\tdiff = {self.program}
"""


def git(root, *words):
    done = subprocess.run(["git", *words], cwd=root, env={**os.environ, **_IDENTITY}, capture_output=True, check=True)
    return done.stdout


def unpacked_archive(root, trap):
    """A repository as an archive brings it: files committed, one of them racy, and its configuration the stranger's."""
    git(root, "init", "-q")
    with open(os.path.join(root, ".gitattributes"), "w", encoding="utf-8") as file:
        file.write("*.py filter=trap diff=trap\n")
    with open(os.path.join(root, "a.py"), "w", encoding="utf-8") as file:
        file.write("a = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    with open(os.path.join(root, "a.py"), "w", encoding="utf-8") as file:
        file.write("a = 2\n")
    with open(os.path.join(root, ".git", "config"), "a", encoding="utf-8") as file:
        file.write(trap.config)


def embedded_bare_repository(root, trap):
    """A folder of an honest clone that is a bare repository too, which git finds before the clone's own."""
    unpacked_archive(root, trap)
    for name in os.listdir(os.path.join(root, ".git")):
        os.rename(os.path.join(root, ".git", name), os.path.join(root, name))
    os.rmdir(os.path.join(root, ".git"))
    with open(os.path.join(root, "config"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(root, "config"), "w", encoding="utf-8") as file:
        file.write(text.replace("bare = false", f"bare = false\n\tworktree = {root}"))


HOSTILE = [
    pytest.param(unpacked_archive, marks=POSIX, id="unpacked archive"),
    pytest.param(embedded_bare_repository, marks=POSIX, id="embedded bare repository"),
]
