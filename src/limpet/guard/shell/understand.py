"""The one door: what would a text do, given to this shell."""

from __future__ import annotations

import os
import sys

from limpet.ground.clock import UNHURRIED, Clock, Patience
from limpet.ground.errors import LimpetError
from limpet.guard.shell.command import ShellCommand, Understood, is_plain, split, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from limpet.guard.shell.walk import Parse

    Tree = dict[str, Any]

# A text longer than this is not read at all.
LONGEST = 1_000_000
_WINDOWS = {"powershell": "PowerShell", "pwsh": "PowerShell", "cmd": "cmd"}
# What gives words a meaning in these shells that they do not have in others.
_WINDOWS_SYNTAX = frozenset("%^@,")
PATIENCE = Patience(0.4)
LARGEST = 1_000_000
# A tree has some 60 times the size of its text; a larger one would take longer to read than a command may.
LARGEST_TREE = 16_000_000
_NAME = "shfmt.exe" if os.name == "nt" else "shfmt"


def understand(
    text: str, parse: Parse | None = None, shell: str = "posix", start: str = "", top: str = ""
) -> Understood:
    """What a text would do; a tree of a form that is not known, or one too deep, leaves what was found until then.

    ``parse``: turns a text into shfmt's tree; raises LimpetError, OSError or ValueError where it cannot.
    ``shell``: "posix", "powershell" or "cmd".
    ``start``, ``top``: the folder in which it is run and the project's, absolute, "" where they are not known.
    """
    if len(text) > LONGEST:
        return Understood((), False, "it is too long", words_of(text))
    words = split(text)
    if words is not None and is_plain(words) and (shell not in _WINDOWS or _WINDOWS_SYNTAX.isdisjoint(text)):
        return Understood((ShellCommand(words),))
    if shell in _WINDOWS:
        return Understood((), False, f"{_WINDOWS[shell]} is not read", words_of(text.replace("\\", "/")))
    from limpet.guard.shell.walk import ShellWalk

    walk = ShellWalk(parse, start, top)
    try:
        walk.text(text)
    except (LookupError, TypeError, AttributeError, RecursionError):
        walk.unclear("the parser's tree is not understood")
    return walk.found()


def parse_shell(text: str, project: str = "", clock: Clock = UNHURRIED) -> Tree:
    """shfmt's tree of a text in the language of bash. No program within ``project``, absolute, is run, but for the
    interpreter's own neighbour. Raises LimpetError where shfmt is missing, refuses the text or takes too long, and
    ValueError for a tree that is nested too deeply."""
    from limpet.ground.formats.json_text import loads

    given = text.encode("utf-8", "surrogateescape")
    if len(given) > LARGEST:
        raise LimpetError("The command is too long to be parsed")
    command = [_find(project), "--to-json", "-ln", "bash"]
    try:
        printed = _run(command, given, PATIENCE.replace(clock=clock))
    except OSError:
        raise LimpetError("shfmt cannot run", command[0]) from None
    if not printed:
        raise LimpetError("shfmt takes too long" if printed is None else "shfmt cannot parse the command")
    tree: Tree = loads(printed.decode("utf-8", "replace"))  # type: ignore[assignment]
    return tree


def _run(command: list[str], given: bytes, patience: Patience) -> bytes | None:
    """Nothing where it fails, None where it takes too long; ``subprocess`` would take as long to import as the whole
    takes."""
    if sys.platform == "win32":
        return _run_anywhere(command, given, patience)
    ours, theirs = os.pipe(), os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, ours[0], 0),
        (os.POSIX_SPAWN_DUP2, theirs[1], 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        started = os.posix_spawn(command[0], command, {}, file_actions=actions)
    except OSError:
        for each in (*ours, *theirs):
            os.close(each)
        raise
    os.close(ours[0])
    os.close(theirs[1])
    from limpet.ground.processes import waits  # which plain commands do without

    printed = _exchange(ours[1], theirs[0], given, waits(started, patience))
    if printed is None:
        os.kill(started, 9)
    _pid, status = os.waitpid(started, 0)
    return printed if printed is None or status == 0 else b""


def _exchange(writes: int, reads: int, given: bytes, waiting: Iterator[float]) -> bytes | None:
    import select

    if sys.platform != "win32":
        os.set_blocking(writes, False)
    rest, is_open = memoryview(given), True
    printed: list[bytes] = []
    size = 0
    try:
        for wait in waiting:
            readable, writable, _ = select.select([reads], [writes] if is_open else [], [], wait)
            if writable:
                rest, is_open = _write(writes, rest)
            if readable:
                piece = os.read(reads, 1 << 20)
                if not piece:
                    return b"".join(printed)
                printed.append(piece)
                size += len(piece)
                if size > LARGEST_TREE:
                    break
        return None
    finally:
        os.close(reads)
        if is_open:
            os.close(writes)


def _write(writes: int, rest: memoryview) -> tuple[memoryview, bool]:
    try:
        rest = rest[os.write(writes, rest[:65536]) :]
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        os.close(writes)
    return rest, bool(rest)


def _run_anywhere(command: list[str], given: bytes, patience: Patience) -> bytes | None:
    import subprocess

    seconds = patience.clock.left(patience.seconds)
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=seconds, check=False)
    except subprocess.SubprocessError:
        return None
    if len(done.stdout) > LARGEST_TREE:
        return None
    return done.stdout if done.returncode == 0 else b""


def _find(project: str) -> str:
    from limpet.ground.programs import is_program, program_on_path  # which plain commands do without

    # Where the interpreter of a virtual environment stands, and where ``pip install --user`` puts scripts.
    own = os.path.dirname(sys.executable)
    for folder in (own, os.path.join(own, "Scripts"), os.path.join(os.path.dirname(own), "bin")):
        if is_program(os.path.join(folder, _NAME)):
            return os.path.join(folder, _NAME)
    user = os.path.join(os.path.expanduser("~"), ".local", "bin")
    found = program_on_path(_NAME, project, os.pathsep.join((user, os.environ.get("PATH", ""))))
    if not found:
        raise LimpetError("shfmt is missing", hint="Run: pip install shfmt-py")
    return found
