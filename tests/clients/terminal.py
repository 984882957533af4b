"""A client in a terminal, as a person sees it: separate, because some things exist only there, such as the status line.

    with claude.terminal(project) as terminal:
        terminal.type("hello")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.wait(lambda: status.exists())

POSIX only. The client redraws what has changed and nothing else: look for a text that appears as a whole.
Prefer `ClaudeCode.run`, which knows when a turn has ended.
"""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from .process import REPOSITORY, ClientFailure, kill

_QUIET_AFTER = 0.3  # seconds without output after which the screen counts as drawn; Enter right after text is a paste
_NOTHING_MORE_AFTER = 1.0  # seconds without output after which no further dialog is on its way
_READ_AFTER = 10.0  # seconds after which a line is lost, or is one that the client does not show
_CLEAR_LINE = b"\x15"
_SEEN_OF_A_LINE = 6  # characters at its end, which no break in the input field is likely to part
_ROWS, _COLUMNS = 40, 120
_CONTROL = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\s")

_WRITTEN = re.compile(
    r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[(?P<numbers>[\d;]*)(?P<final>[A-Za-z])|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])"
    r"|(?P<single>[\n\r\b])|(?P<plain>[^\x00-\x1f\x7f])"
)


class Terminal:
    """A running command in a terminal, from `with` to its end; `timeout` is in seconds, for the whole of it.

    `ready` is what the client shows once it reads what is typed, one of several texts; what comes before that the
    terminal itself echoes.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], timeout: float, *ready: str) -> None:
        self._ready = ready
        self._deadline = time.monotonic() + timeout
        self._screen = bytearray()
        self._typed_at = 0
        self._controller, terminal = _open_terminal()
        self._process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env={**environment, "TERM": "xterm-256color"},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)

    def __enter__(self) -> Terminal:
        try:
            self.wait(lambda: not self._ready or any(visible(text) in self._shown() for text in self._ready))
            self._settle()
        except BaseException:  # then nobody calls __exit__
            kill(self._process)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        kill(self._process)
        os.close(self._controller)

    @property
    def screen(self) -> str:
        """Everything that was written to the terminal so far, control sequences and all."""
        return self._screen.decode(errors="replace")

    @property
    def drawn(self) -> str:
        """What the screen shows now."""
        return draw(bytes(self._screen))

    def type(self, text: str) -> None:
        """Type a line and press Enter, once the end of the line is seen: a client that is still starting reads both at
        once, as a paste, or loses the line, which is then typed anew. Some show a long line by its size alone; these
        get their time."""
        self._typed_at = len(self._screen)
        os.write(self._controller, text.encode())
        while not self._shows_within(_READ_AFTER, visible(text)[-_SEEN_OF_A_LINE:]) and len(text) < _COLUMNS:
            os.write(self._controller, _CLEAR_LINE + text.encode())
        self._settle()
        os.write(self._controller, b"\r")

    def answer(self, dialogs: Mapping[str, str], *ends: str, may_leave: bool = False) -> str:
        """Press the key for each dialog, known by a text that the key takes away, until another text shows that no more
        comes; returns that, "" where the client may leave and did. The lowest of these texts on the screen counts:
        others may have been left there above."""

        def lowest() -> str:
            screen = self.drawn
            return max((text for text in (*dialogs, *ends) if text in screen), key=screen.rfind, default="")

        def has_left() -> bool:
            return may_leave and self._process.poll() is not None

        def other_than(text: str) -> Callable[[], bool]:
            return lambda: has_left() or lowest() != text

        while not has_left():
            self.wait(other_than(""))
            self._settle(_NOTHING_MORE_AFTER)
            asked = lowest()
            if asked in ends:
                return asked
            if not asked:  # it was drawn over
                continue
            os.write(self._controller, dialogs[asked].encode())
            self.wait(other_than(asked))
        return ""

    def wait_for(self, text: str) -> None:
        """Wait until a text has appeared since the last line was typed; spaces do not count. Raises ClientFailure."""
        self.wait(lambda: visible(text) in self._shown())

    def find(self, pattern: str) -> str:
        """Wait in the same way until the pattern, without spaces, is found; its first group. Raises ClientFailure."""
        self.wait(lambda: re.search(pattern, self._shown()) is not None)
        found = re.search(pattern, self._shown())
        assert found
        return found[1]

    def wait(self, reached: Callable[[], bool]) -> None:
        """Wait until a condition holds. Raises ClientFailure with what the screen shows."""
        while not reached():
            if time.monotonic() > self._deadline:
                raise ClientFailure(f"the terminal did not get there; it shows:\n{self.drawn}")
            if not self._read(0.05) and self._process.poll() is not None and not reached():
                raise ClientFailure(f"the client has left; its screen shows:\n{self.drawn}")

    def wait_for_end(self) -> None:
        """Wait until the client has exited."""
        self.wait(lambda: self._process.poll() is not None)

    def ends_within(self, seconds: float) -> bool:
        """Whether the client exits by then."""
        latest = time.monotonic() + seconds
        self.wait(lambda: self._process.poll() is not None or time.monotonic() > latest)
        return self._process.poll() is not None

    def _shows_within(self, seconds: float, text: str) -> bool:
        latest = time.monotonic() + seconds

        def is_there() -> bool:
            return text in self._shown() or text in visible(self.drawn)

        self.wait(lambda: is_there() or time.monotonic() > latest)
        return is_there()

    def _shown(self) -> str:
        return visible(self._screen[self._typed_at :].decode(errors="replace"))

    def _settle(self, quiet: float = _QUIET_AFTER) -> None:
        while self._read(quiet) and time.monotonic() < self._deadline:
            pass

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._controller], [], [], seconds)
        if not ready:
            return False
        try:
            self._screen += os.read(self._controller, 65536)
        except OSError:  # Linux says so when the last program has left the terminal
            return False
        return True


def visible(text: str) -> str:
    """A text without control sequences and spaces: the client draws a space by moving the cursor."""
    return _CONTROL.sub("", text)


def draw(written: bytes) -> str:
    """The screen after all that a client wrote, as far as moves, erasures and plain characters make it."""
    blank = [" "] * _COLUMNS
    rows, row, column = [[*blank] for _ in range(_ROWS)], 0, 0
    for found in _WRITTEN.finditer(written.decode(errors="replace")):
        if found["plain"]:
            row, column = (row + 1, 0) if column >= _COLUMNS else (row, column)
            rows[min(row, _ROWS - 1)][column] = found["plain"]
            column += 1
        elif found["final"]:
            numbers = [int(each) if each.isdigit() else 0 for each in found["numbers"].split(";")]
            row, column = _move(found["final"], numbers, row, column)
            _erase(rows, found["final"], numbers[0], row, column)
        elif found["single"]:
            row, column = {"\n": (row + 1, column), "\r": (row, 0), "\b": (row, column - 1)}[found["single"]]
        while row >= _ROWS:
            rows, row = [*rows[1:], [*blank]], row - 1
        column = max(0, column)
    return "\n".join("".join(each).rstrip() for each in rows)


def _move(final: str, numbers: Sequence[int], row: int, column: int) -> tuple[int, int]:
    """Where a control sequence leaves the cursor."""
    count = numbers[0] or 1
    if final in "Hf":
        return min(count, _ROWS) - 1, min((numbers[1] if len(numbers) > 1 else 0) or 1, _COLUMNS) - 1
    if final in "Gd":
        return (row, min(count, _COLUMNS) - 1) if final == "G" else (min(count, _ROWS) - 1, column)
    steps = {"A": (-count, 0), "B": (count, 0), "C": (0, count), "D": (0, -count)}.get(final, (0, 0))
    return min(max(0, row + steps[0]), _ROWS - 1), min(max(0, column + steps[1]), _COLUMNS - 1)


def _erase(rows: list[list[str]], final: str, which: int, row: int, column: int) -> None:
    """What a control sequence takes away: of the line (K) or the screen (J) the rest, what is before, or all."""
    if final in "JK":
        begin, end = ((row, column), (_ROWS, 0)) if final == "J" else ((row, column), (row, _COLUMNS))
        if which:
            begin = (0, 0) if final == "J" else (row, 0)
        if which == 1:
            end = (row, column + 1)
        for y in range(begin[0], min(end[0], _ROWS - 1) + 1):
            for x in range(begin[1] if y == begin[0] else 0, end[1] if y == end[0] else _COLUMNS):
                rows[y][x] = " "


def _open_terminal() -> tuple[int, int]:
    if sys.platform == "win32":
        raise ClientFailure("there are no pseudo-terminals on Windows")
    import fcntl
    import pty
    import termios

    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    return controller, terminal
