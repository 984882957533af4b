"""The findings of ``doctor``, and the checks of hook lines that all hosts share."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile

from limpet import __version__
from limpet.ground.own_name import command_path
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.hosts.commands.launcher import command_works, launcher_path, read_launcher, slashed, windows_launcher
from limpet.hosts.commands.lines import FinishedLine, HookLine, run_line

OK, INFO, WARN, FAIL, FIXED = "ok", "info", "warn", "fail", "fixed"
INIT = "run `limpet init`"
FIX = "run `limpet doctor --fix`"
# A prompt waits for the hook: beyond this a person notices.
SLOW_SECONDS = 1.0


class Check(Value):
    """``status``: ok, warn or fail; info for a fact that is neither right nor wrong, fixed for what was put right.
    ``hint``: what to do, "" for ok and fixed. ``seconds``: of a hook line that answered, 0 for anything else."""

    status: str
    what: str
    hint: str = ""
    seconds: float = 0.0


def check_line(line: HookLine) -> Check | None:
    """Return None for a line that is current."""
    if line.launcher:
        return check_launcher(line.launcher)
    if not line.python:
        missing = shutil.which("limpet") is None
        return Check(WARN, "The shared hook line has no effect: limpet is not on PATH", INIT) if missing else None
    if not os.access(line.python, os.X_OK):
        return Check(FAIL, f"The Python of the hook is missing: {line.python}", INIT)
    version = _version_at(line.root)
    if version is None:
        return Check(FAIL, f"The hook cannot find Limpet in {line.root}", INIT)
    return Check(WARN, f"The hook line is in an old format (Limpet {version} in {line.root})", INIT)


def check_launcher(path: str) -> Check | None:
    own = launcher_path()
    if os.path.normcase(path) not in map(os.path.normcase, (own, slashed(own), windows_launcher())):
        return Check(WARN, f"The hooks run {path} instead of {own}", INIT)
    target = read_launcher(own)
    if target is None:
        what = "was not written by Limpet" if os.path.lexists(own) else "is missing"
        return Check(FAIL, f"The hook launcher {what}: {own}", FIX)
    if not os.access(own, os.X_OK):
        return Check(FAIL, f"The hook launcher is not executable: {own}", FIX)
    if not os.access(target.python, os.X_OK):
        return Check(FAIL, f"The Python of the hooks is missing: {target.python}", FIX)
    version = _version_at(target.root)
    if version is None or not target.is_alive():
        return Check(FAIL, f"The hooks cannot find Limpet in {target.root}", FIX)
    if version != __version__:
        return Check(WARN, f"The hooks run Limpet {version} in {target.root}, not {__version__}", FIX)
    if not command_works(target):
        return Check(FAIL, f"The command that agents are told does not start what the hooks run: {command_path()}", FIX)
    return None


def try_line(
    name: str, command: str, payload: dict[str, object], seconds: float, env: dict[str, str]
) -> tuple[Check, bytes]:
    """Run the line in a folder outside the project; return its output too."""
    with tempfile.TemporaryDirectory() as elsewhere:
        done = run_line(command, json.dumps(payload).encode(), seconds, elsewhere, env)
    return _judge(name, done, seconds), done.out


def is_answer(out: bytes) -> bool:
    try:
        return not out.strip() or isinstance(json.loads(out), dict)
    except ValueError:
        return False


def _judge(name: str, done: FinishedLine, seconds: float) -> Check:
    milliseconds = f"{done.seconds * 1000:.0f} ms"
    advice = "see: limpet log --hook"
    if done.code is None:
        return Check(FAIL, f"{name} exceeded its timeout of {seconds:g} s", advice)
    if done.code:
        return Check(FAIL, f"{name} ended with exit code {done.code}: {_first_line(done.err)}", INIT)
    if done.err.strip():
        return Check(FAIL, f"{name} wrote to stderr: {_first_line(done.err)}", advice)
    if done.seconds > SLOW_SECONDS:
        return Check(WARN, f"{name} answers, but in {milliseconds}", advice, done.seconds)
    return Check(OK, f"{name} answers in {milliseconds}", seconds=done.seconds)


def _first_line(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip().partition("\n")[0][:200]


def _version_at(root: str) -> str | None:
    text = read_text(os.path.join(root, "limpet", "__init__.py"))
    if text is None:
        return None
    found = re.search(r"^__version__ = [\"'](.+)[\"']", text, re.MULTILINE)
    return found[1] if found else "unknown"
