"""Commands that start this package in a second process, and the end of one that takes too long.

It gets the same interpreter, the same version of the package, and site-packages.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Seconds that a process has to tell that it was ended.
GRACE = 5.0
PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Our package before what is installed, so that the versions agree; the standard library before both.
START = "import sys; sys.path.append(sys.argv[1]); import site; site.main(); from {} import main; main(*sys.argv[2:])"


def own_command(module: str, *words: str) -> list[str]:
    """Return the command that runs ``main`` of our module with these words."""
    # Without columns, which nobody reads, code is a seventh smaller, the hook's bundle too.
    return [sys.executable, "-I", "-S", "-X", "no_debug_ranges", "-c", START.format(module), PACKAGE_ROOT, *words]


class Deadline:
    """Ends this process, with exit code 1, when a ``with`` block takes more than the given seconds; ``tell`` is called
    just before.

    C code that never lets Python run, such as a regular expression, is ended a moment later without ``tell``.
    """

    def __init__(self, seconds: float, tell: Callable[[], None]) -> None:
        self.seconds = seconds
        self.tell = tell

    def __enter__(self) -> None:
        import faulthandler
        from threading import Timer

        self.timer = Timer(self.seconds, self._end)
        self.timer.daemon = True
        self.timer.start()
        self.nowhere = open(os.devnull, "w")  # noqa: SIM115 (it stays open as long as the block)
        faulthandler.dump_traceback_later(self.seconds + GRACE, exit=True, file=self.nowhere)

    def __exit__(self, *error: object) -> None:
        import faulthandler

        faulthandler.cancel_dump_traceback_later()
        self.timer.cancel()
        self.nowhere.close()

    def _end(self) -> None:
        try:
            self.tell()
        finally:
            os._exit(1)
