"""What the answers of a model cost by the word of its client, which its transcript holds. Separate from the figures of
the window, of which the prompt hook asks for the newest alone."""

from __future__ import annotations

from limpet.ground.values import Value


class UsageLine(Value):
    """The tokens of an answer, or of several: those that went in afresh, were written to the cache, were read from it,
    and came out. ``id``: the answer's; ``at``: when, in seconds since 1970; ``prompt``: the id of the prompt that it
    answers, "" where the client gives none."""

    input: int = 0
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    id: str = ""
    at: float = 0.0
    prompt: str = ""

    @property
    def total(self) -> int:
        return self.input + self.cache_write + self.cache_read + self.output
