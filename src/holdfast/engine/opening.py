"""Whether a typed command opens the prompt: one that writes must, so that no pasted text can give it."""

from __future__ import annotations

TELL = "Show the user these lines as they are:"
NOT_FIRST = "Nothing was changed: a command that writes must open the prompt, so that no pasted text can give it."


def opens_prompt(prompt: str, name: str, words: tuple[str, ...]) -> bool:
    """Whether the command stands in the prompt's first lines, of which each begins with ``*name``."""
    for line in prompt.lstrip().splitlines():
        typed, *rest = line.split() or [""]
        if typed.lower() != f"*{name}":
            return False
        if tuple(rest) == words:
            return True
    return False
