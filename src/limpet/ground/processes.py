"""Processes: those above this one, by the system's own table, the command that starts one of ours, and the end of one
that takes too long."""

from __future__ import annotations

import os
import sys
import time

from limpet.ground.clock import Patience
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from subprocess import CompletedProcess, Popen

# Named by their full paths, because neither PATH nor the current folder may choose who prints the table.
PS = ("/bin/ps", "-axwwo", "pid=,ppid=,lstart=,args=")
POWERSHELL = (
    os.environ.get("SYSTEMROOT", r"C:\Windows") + r"\System32\WindowsPowerShell\v1.0\powershell.exe",
    *("-NoProfile", "-NonInteractive", "-Command"),
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $any = [cultureinfo]::InvariantCulture;"
    " Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId,"
    " $_.CreationDate.ToString('ddd MMM dd HH:mm:ss yyyy', $any), ($_.CommandLine -replace '\\s', ' ') }",
)
# Times the seconds that a child may compute, those that it may take: the most that a busy machine makes of them.
STRETCH = 5
# Seconds that a process has to tell that it was ended.
GRACE = 5.0
PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Our package before what is installed, so that the versions agree; the standard library before both.
START = "import sys; sys.path.append(sys.argv[1]); import site; site.main(); from {} import main; main(*sys.argv[2:])"


class Process(Value):
    """Systems without /proc tell its command line as one text, which is split at blanks outside of quotes.

    ``started``: in seconds since a moment that is the same for all processes of this machine.
    """

    pid: int
    parent: int
    words: tuple[str, ...]
    started: float


def read_ancestors() -> tuple[Process, ...]:
    return find_ancestors(_finder(), os.getpid())


def read_process(pid: int = 0) -> Process | None:
    """0 for this one."""
    return _finder()(pid or os.getpid())


def find_ancestors(find: Callable[[int], Process | None], pid: int) -> tuple[Process, ...]:
    """A cycle ends, and so does a parent that is younger: Windows gives the id of a process that ended to a new one."""
    above: dict[int, Process] = {}
    child = find(pid)
    while child and child.parent not in (pid, *above):
        parent = find(child.parent)
        if parent is None or parent.started > child.started:
            break
        child = above[parent.pid] = parent
    return tuple(above.values())


def parse_stat(stat: str, command: str, ticks: int) -> Process:
    """Of ``stat`` and ``cmdline`` in /proc, with so many ticks a second. Raise ValueError."""
    pid, _, rest = stat.partition(" (")
    name, _, fields = rest.rpartition(") ")  # a name may hold blanks and brackets
    _, parent, *others = [*fields.split(), *[""] * 20]
    words = command.rstrip("\0").split("\0") if command.strip("\0") else [name]
    return Process(int(pid), int(parent), tuple(words), int(others[17]) / ticks)


def parse_table(text: str) -> dict[int, Process]:
    """What ``PS`` or ``POWERSHELL`` printed, by id; lines of another form are left out."""
    from re import findall
    from time import mktime, strptime

    found = {}
    for line in text.splitlines():
        pid, parent, *rest = [*line.split(None, 7), "", ""]
        try:
            started = mktime(strptime(" ".join(rest[:5]), "%a %b %d %H:%M:%S %Y"))
            words = (word.replace('"', "") for word in findall(r'(?:"[^"]*"|[^\s"])+', rest[5]))
            found[int(pid)] = Process(int(pid), int(parent), tuple(words), started)
        except (ValueError, OverflowError):
            continue
    return found


def own_command(module: str, *words: str) -> list[str]:
    # Without columns, which nobody reads, code is a seventh smaller, the hook's bundle too.
    return [sys.executable, "-I", "-S", "-X", "no_debug_ranges", "-c", START.format(module), PACKAGE_ROOT, *words]


def waits(pid: int, patience: Patience) -> Iterator[float]:
    """Yield, as long as a process may be waited for, the seconds until that can be over: once it took those of the
    processor, by the wall where the system does not tell them, or ``STRETCH`` times as many by the wall."""
    began, passed = time.monotonic(), 0.0
    most = min(patience.clock.left(), patience.seconds * STRETCH)
    while True:
        worked = passed if passed < patience.seconds else min(passed, _read_worked(pid))
        left = min(patience.seconds - worked, most - passed)
        if left <= 0:
            return
        yield left
        passed = time.monotonic() - began


def output_of(process: Popen[bytes], patience: Patience, given: bytes | None = None) -> bytes | None:
    """What it prints until it ends; None where it is late, and goes on."""
    from subprocess import TimeoutExpired

    for wait in waits(process.pid, patience):
        try:
            return process.communicate(given, wait)[0]
        except TimeoutExpired:
            given = None  # which is on its way
    return None


def run_child(
    command: list[str],
    patience: Patience,
    given: bytes = b"",
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
) -> CompletedProcess[bytes] | None:
    """Without what it says on stderr; None where it cannot be started, and where it is late, and ended."""
    import subprocess

    pipe, nothing, flags = subprocess.PIPE, subprocess.DEVNULL, getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        with subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nothing, cwd=cwd, env=env, creationflags=flags
        ) as process:
            printed = output_of(process, patience, given)
            if printed is None:
                process.kill()
    except (OSError, ValueError):
        return None
    return None if printed is None else subprocess.CompletedProcess(command, process.returncode, printed)


class Deadline:
    """Ends this process, with exit code 1, when a ``with`` block takes more than the given seconds of the processor, or
    ``STRETCH`` times as many; ``tell`` is called just before. C code that never lets Python run, such as a regular
    expression, is ended a moment later without ``tell``."""

    def __init__(self, seconds: float, tell: Callable[[], None]) -> None:
        self.seconds = seconds
        self.tell = tell

    def __enter__(self) -> None:
        import faulthandler
        import signal
        from threading import Event, Thread

        self.is_over = Event()
        Thread(target=self._watch, daemon=True).start()
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_PROF, self.seconds + GRACE)
        self.nowhere = open(os.devnull, "w")  # noqa: SIM115 (it stays open as long as the block)
        faulthandler.dump_traceback_later(self.seconds * STRETCH + GRACE, exit=True, file=self.nowhere)

    def __exit__(self, *error: object) -> None:
        import faulthandler
        import signal

        faulthandler.cancel_dump_traceback_later()
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.is_over.set()
        self.nowhere.close()

    def _watch(self) -> None:
        for wait in waits(os.getpid(), Patience(self.seconds)):
            if self.is_over.wait(wait):
                return
        try:
            self.tell()
        finally:
            os._exit(1)


def _read_worked(pid: int) -> float:
    """Seconds of the processor, with those of its own children that ended; endless where they cannot be read."""
    if sys.platform == "win32":
        return float("inf")
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b") ")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError):
        return float("inf")


def _finder() -> Callable[[int], Process | None]:
    if sys.platform in ("linux", "cygwin"):
        return _read
    return parse_table(_output(POWERSHELL if sys.platform == "win32" else PS)).get


def _read(pid: int) -> Process | None:
    if sys.platform == "win32":
        return None
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat, open(f"/proc/{pid}/cmdline", "rb") as command:
            texts = [file.read().decode("utf-8", "replace") for file in (stat, command)]
        return parse_stat(texts[0], texts[1], os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError):
        return None


def _output(command: tuple[str, ...]) -> str:
    import subprocess

    around, hidden = {**os.environ, "LC_ALL": "C"}, getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(command, capture_output=True, env=around, timeout=15, creationflags=hidden)
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace")
