"""The one door: what would a text do, given to this shell."""

from __future__ import annotations

from holdfast.guard.shell.command import Command, Understood, words_of
from holdfast.guard.shell.simple import is_plain, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.walk import Parse

# A text longer than this is not read at all.
LONGEST = 1_000_000
_WINDOWS = ("powershell", "pwsh", "cmd")


def understand(text: str, parse: Parse | None = None, shell: str = "posix") -> Understood:
    """Return what a text would do, without running it.

    A tree of a form that is not known, or one too deep, leaves what was found until then, and is not clear.

    ``parse``: turns a text into shfmt's tree; raises HoldfastError, OSError or ValueError where it cannot.
    ``shell``: "posix", "powershell" or "cmd".
    """
    if len(text) > LONGEST:
        return Understood((), False, "it is too long", words_of(text))
    if shell in _WINDOWS:
        from holdfast.guard.shell.powershell import understand_powershell

        return understand_powershell(text, shell == "cmd", lambda inner: understand(inner, parse))
    words = split(text)
    if words is not None and is_plain(words):
        return Understood((Command(words),), texts=words_of(text))
    from holdfast.guard.shell.walk import Walk

    walk = Walk(parse)
    try:
        walk.text(text)
    except (LookupError, TypeError, AttributeError, RecursionError):
        walk.unclear("the parser's tree is not understood")
    return Understood(tuple(walk.commands), not walk.why, walk.why, tuple(walk.texts))
