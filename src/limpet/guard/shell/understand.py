"""The one door: what would a text do, given to this shell."""

from __future__ import annotations

from limpet.guard.shell.command import Command, Understood, words_of
from limpet.guard.shell.simple import is_plain, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.guard.shell.walk import Parse

# A text longer than this is not read at all.
LONGEST = 1_000_000
_WINDOWS = {"powershell": "PowerShell", "pwsh": "PowerShell", "cmd": "cmd"}
# What gives words a meaning in these shells that they do not have in others.
_WINDOWS_SYNTAX = frozenset("%^@,")


def understand(text: str, parse: Parse | None = None, shell: str = "posix") -> Understood:
    """Return what a text would do, without running it.

    A tree of a form that is not known, or one too deep, leaves what was found until then, and is not clear.

    ``parse``: turns a text into shfmt's tree; raises LimpetError, OSError or ValueError where it cannot.
    ``shell``: "posix", "powershell" or "cmd".
    """
    if len(text) > LONGEST:
        return Understood((), False, "it is too long", words_of(text))
    words = split(text)
    if words is not None and is_plain(words) and (shell not in _WINDOWS or _WINDOWS_SYNTAX.isdisjoint(text)):
        return Understood((Command(words),))
    if shell in _WINDOWS:
        return Understood((), False, f"{_WINDOWS[shell]} is not read", words_of(text.replace("\\", "/")))
    from limpet.guard.shell.walk import Walk

    walk = Walk(parse)
    try:
        walk.text(text)
    except (LookupError, TypeError, AttributeError, RecursionError):
        walk.unclear("the parser's tree is not understood")
    return walk.found()
