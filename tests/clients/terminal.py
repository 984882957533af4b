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
_ROWS, _COLUMNS = 40, 120
_CONTROL = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\s")


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
        self.wait(lambda: any(visible(text) in self._shown() for text in self._ready))
        self._settle()
        return self

    def __exit__(self, *_: object) -> None:
        kill(self._process)
        os.close(self._controller)

    @property
    def screen(self) -> str:
        """Everything that was written to the terminal so far, control sequences and all."""
        return self._screen.decode(errors="replace")

    def type(self, text: str) -> None:
        """Type a line and press Enter."""
        self._typed_at = len(self._screen)
        os.write(self._controller, text.encode())
        if text:
            self.wait(lambda: len(self._screen) > self._typed_at)
        self._settle()
        os.write(self._controller, b"\r")

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each when the client has drawn what came of the one before."""
        for key in keys:
            self._typed_at = len(self._screen)
            os.write(self._controller, key.encode())
            self.wait(lambda: len(self._screen) > self._typed_at)
            self._settle()

    def answer(self, dialogs: Mapping[str, Sequence[str]], ready: str) -> None:
        """Press the keys that answer each dialog, given by a text in it, until a text shows that no more comes."""
        while visible(ready) not in (shown := self._shown()):
            asked = next((keys for text, keys in dialogs.items() if visible(text) in shown), ())
            if asked:
                self.press(*asked)
            else:
                self.wait(lambda: len(self._shown()) > len(shown))

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
        """Wait until a condition holds. Raises ClientFailure with the end of the screen."""
        while not reached():
            if time.monotonic() > self._deadline:
                raise ClientFailure(f"the terminal did not get there; its end:\n{self.screen[-2000:]}")
            if not self._read(0.05) and self._process.poll() is not None and not reached():
                raise ClientFailure(f"the client has left; the end of its screen:\n{self.screen[-2000:]}")

    def wait_for_end(self) -> None:
        """Wait until the client has exited."""
        self.wait(lambda: self._process.poll() is not None)

    def _shown(self) -> str:
        return visible(self._screen[self._typed_at :].decode(errors="replace"))

    def _settle(self) -> None:
        while self._read(_QUIET_AFTER) and time.monotonic() < self._deadline:
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


def _open_terminal() -> tuple[int, int]:
    if sys.platform == "win32":
        raise ClientFailure("there are no pseudo-terminals on Windows")
    import fcntl
    import pty
    import termios

    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    return controller, terminal
