"""Checks: commands that Limpet runs itself, their environment, and the content of the working tree that they ran on."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import Any

from limpet.ground.clock import Patience, iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import read_object
from limpet.ground.git import listed_files
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.ground.storage.walking import files_below
from limpet.ground.text.escaping import clip
from limpet.ground.text.word_lists import read_words
from limpet.ground.trust.signed import read_key, read_signed, sign, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace

LONGEST = 300
# Bytes of a check's output that are kept, from its end.
KEPT = 20_000
LATE, NOT_FOUND = 124, 127
"""The exit codes of a check that took too long, as ``timeout`` gives it, and of a shell without the program."""
# Seconds in which what a check has written arrives after its end; a process that it left behind may hold the pipe.
_REST = 2.0
_CHUNK = 65_536
_BUILTIN = frozenset("[ cd command eval exec export for if set source test time while".split())
_SHELL_SIGNS = frozenset("|&;<>()$`*?[]{}~!#\n")
FILE = "runners.txt"
# Seconds that git may take to list the files.
PATIENCE = Patience(60.0)
# What tools make of the sources while checks run; git ignores most of it too.
MADE = ("node_modules", "__pycache__")
_TREE_CHUNK = 1 << 20

NAME = "environment"
PATH = "PATH"
# What each process has for itself, and no check's end may depend on.
OWN = ("TMPDIR", "TEMP", "TMP", "TERM", "COLUMNS", "LINES")
_PYTEST_FILES = ("pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "requirements-dev.txt")
_PYTHON_LOCKS = {"uv.lock": "uv run", "poetry.lock": "poetry run", "pdm.lock": "pdm run"}
_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
}
# `bun test` is a test runner of its own.
_RUNS = {"bun": "bun run"}
_NO_TEST = "no test specified"
_TEST_TARGET = re.compile(r"^test[ \t]*:(?!=)", re.MULTILINE)


class CheckResult(Value):
    """``digest``: the SHA-256 of its output, in hexadecimal; ``tail``: the last part of it."""

    exit_code: int
    digest: str
    tail: bytes


def run_check(
    name: str, line: str, root: str, patience: float, variables: Mapping[str, str] = os.environ
) -> CheckResult:
    """Run a check's command line in the project's folder, for at most ``patience`` seconds, with these environment
    ``variables``. Raise LimpetError for a line that cannot be run."""
    path = variables.get("PATH")
    words = check_words(name, line, path)
    try:
        process = subprocess.Popen(
            [shutil.which(words[0], path=path) or words[0], *words[1:]],
            cwd=root,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        hint = f'Run: limpet config set work.checks.{name} "COMMAND"'
        raise LimpetError(f"Cannot start check {name} ({error})", "", hint) from None
    digest, tail = hashlib.sha256(), bytearray()
    reader = Thread(target=_read, args=(process, digest, tail), daemon=True)
    reader.start()
    try:
        code = process.wait(patience)
    except subprocess.TimeoutExpired:
        code = LATE
    finally:
        _end(process)
    reader.join(_REST)
    return CheckResult(exit_code=code if code >= 0 else 128 - code, digest=digest.hexdigest(), tail=bytes(tail))


def check_words(name: str, line: str, path: str | None = None) -> list[str]:
    """Return the words that run a check: those of the line, or bash with ``pipefail`` where it has a sign of the shell.
    ``path``: where programs are looked for, None for PATH. Raise LimpetError for an empty line, open quotes, and a pipe
    where there is no bash."""
    where, hint = f"check {name}", f'Run: limpet config set work.checks.{name} "COMMAND"'
    if not _SHELL_SIGNS.isdisjoint(line) or "=" in line.strip().partition(" ")[0]:
        bash = shutil.which("bash", path=path)
        if bash:
            return [bash, "-o", "pipefail", "-c", line]
        if "|" in line:
            what = f"A pipe needs bash, which is not installed ({clip(line, LONGEST)})"
            raise LimpetError(what, where, "Write it without a pipe, or as a script.")
        return [os.environ.get("COMSPEC", "cmd"), "/c", line] if sys.platform == "win32" else ["/bin/sh", "-c", line]
    try:
        words = shlex.split(line, posix=sys.platform != "win32")
    except ValueError as error:
        raise LimpetError(f"Cannot parse the command line ({error}: {clip(line, LONGEST)})", where, hint) from None
    if not words:
        raise LimpetError("Empty command line", where, hint)
    return words


def missing_program(line: str, root: str) -> str:
    """Return the program that begins a line and is not installed, "" for none."""
    name = next((word for word in line.split() if "=" not in word), "")
    if name in _BUILTIN or not _SHELL_SIGNS.isdisjoint(name):
        return ""
    path = os.path.join(root, name) if "/" in name else name
    return "" if shutil.which(path) else name


def count_tests(line: str, output: str) -> int | None:
    """Return None where neither the command line nor the output is one of a known runner."""
    named: list[int] = []
    others = [0]
    for words, patterns in _runners():
        is_named = any(word.search(line) for word in words)
        total = 0
        for pattern in patterns:
            for match in pattern.finditer(output):
                total += int(match[1]) if pattern.groups else 1
        (named if is_named else others).append(total)
    return max(named) if named else max(others) or None


def tree_digest(root: str, without: str = "") -> str:
    """Return the SHA-256, in hexadecimal, of the paths, executable bits and content of the project's files: those that
    git does not ignore, without git those outside dot folders; never ``.limpet``, and no folder of ``MADE`` nor any
    called ``without``. Raise LimpetError for a file that cannot be read."""
    total = hashlib.sha256()
    for name in sorted(_names(root), key=os.fsencode):
        if without and without in name.split("/")[:-1]:
            continue
        kind, content = _content(os.path.join(root, name), name)
        for part in (os.fsencode(name), kind, content):
            total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


class Environment(Value):
    """Variables for a check. ``left_out``: names of those of now that were others, or not there, when the user agreed,
    ``since`` ("" where nobody kept it and those of now count). ``other_path``: PATH is another one now; the one agreed
    to counts."""

    variables: Mapping[str, str]
    left_out: tuple[str, ...] = ()
    other_path: bool = False
    since: str = ""


def keep_environment(workspace: Workspace, environ: Mapping[str, str], now: float) -> None:
    """Keep these variables as those in which the project's checks run: PATH itself, of others only a keyed hash of the
    value. Without a key, and where nothing can be written, nothing is kept."""
    key = read_key()
    if key is None:
        return
    marks = {name: _mark(value, key) for name, value in environ.items()}
    record = {"at": iso(now), "path": environ.get(PATH, ""), "variables": marks}
    write_if_possible(_file(workspace), signed_record(record, _purpose(workspace), key))


def agreed_environment(workspace: Workspace, environ: Mapping[str, str]) -> Environment:
    kept, key = read_signed(_file(workspace), _purpose(workspace)), read_key()
    if kept is None or key is None:
        return Environment(variables=dict(environ))
    marks, path = kept.get("variables") or {}, str(kept.get("path") or "")
    same = {name: value for name, value in environ.items() if name in OWN or marks.get(name) == _mark(value, key)}
    return Environment(
        variables={**same, **({PATH: path} if path else {})},
        left_out=tuple(sorted(set(environ) - set(same) - {PATH})),
        other_path=path != environ.get(PATH, ""),
        since=str(kept.get("at") or ""),
    )


def propose_checks(root: str) -> dict[str, str]:
    package = read_object(_text(root, "package.json"))
    manager = str(package.get("packageManager") or "").partition("@")[0]
    if manager not in _LOCKS.values():
        manager = next((manager for lock, manager in _LOCKS.items() if _exists(root, lock)), "npm")
    scripts = package.get("scripts")
    script = scripts.get("test") if isinstance(scripts, dict) else None
    has_script = isinstance(script, str) and script.strip() and _NO_TEST not in script
    python = next((runner for lock, runner in _PYTHON_LOCKS.items() if _exists(root, lock)), "python -m")
    has_pytest = any("pytest" in (_text(root, name) or "") for name in _PYTEST_FILES)
    cargo = "cargo nextest run" if _exists(root, ".config/nextest.toml") else "cargo test"
    found = {
        "pytest": f"{python} pytest -q" if has_pytest else "",
        manager: f"{_RUNS.get(manager, manager)} test" if has_script else "",
        "cargo": cargo if _text(root, "Cargo.toml") is not None else "",
        "go": "go test ./..." if _text(root, "go.mod") is not None else "",
        "make": "make test" if _TEST_TARGET.search(_text(root, "Makefile") or "") else "",
    }
    return {name: line for name, line in found.items() if line}


def _read(process: subprocess.Popen[bytes], digest: Any, tail: bytearray) -> None:
    assert process.stdout is not None
    while chunk := process.stdout.read1(_CHUNK):  # type: ignore[attr-defined]
        digest.update(chunk)
        tail += chunk
        del tail[:-KEPT]


def _end(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


@cache
def _runners() -> tuple[tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]], ...]:
    """Return for each runner what names it in a command line, and what counts its tests in its output."""
    found = []
    for entries in read_words(FILE).values():
        pairs = [entry.split(" ", 1) for entry in entries]
        words = tuple(re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-])") for kind, text in pairs if kind == "word")
        found.append((words, tuple(re.compile(text) for kind, text in pairs if kind == "count")))
    return tuple(found)


def _names(root: str) -> set[str]:
    """A repository inside is walked, because git lists its folder only."""
    listed = listed_files(root, PATIENCE)
    found: set[str] = set()
    for name in _files_below(root, "") if listed is None else listed:
        parts = name.rstrip("/").split("/")
        if parts[0] == FOLDER or not set(MADE).isdisjoint(parts):
            continue
        path = os.path.join(root, name)
        is_folder = os.path.isdir(path) and not os.path.islink(path.rstrip("/"))
        found.update(_files_below(root, name.rstrip("/")) if is_folder else (name,))
    return found


def _files_below(root: str, folder: str) -> Iterator[str]:
    return files_below(root, folder, lambda name: not name.startswith(".") and name not in MADE, links=True)


def _content(path: str, name: str) -> tuple[bytes, bytes]:
    """Return (kind of file, digest of its content); a deleted one that git still has is ``gone``."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return b"link", os.fsencode(os.readlink(path))
        if not stat.S_ISREG(mode):
            return b"other", b""
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while chunk := file.read(_TREE_CHUNK):
                digest.update(chunk)
    except FileNotFoundError:
        return b"gone", b""
    except OSError as error:
        hint = "Make it readable, or let git ignore it."
        raise LimpetError(f"Cannot read the file ({error.strerror})", name, hint) from None
    return b"program" if mode & stat.S_IXUSR else b"file", digest.digest()


def _mark(value: str, key: bytes) -> str:
    return sign(value.encode("utf-8", "surrogateescape"), key)


def _file(workspace: Workspace) -> str:
    return workspace.kept(NAME)


def _purpose(workspace: Workspace) -> str:
    return "environment {}".format("/".join(workspace.state.split(os.sep)[-3:]))


def _exists(root: str, name: str) -> bool:
    return os.path.exists(os.path.join(root, name))


def _text(root: str, name: str) -> str | None:
    return read_text(os.path.join(root, name), STATE_BYTES)
