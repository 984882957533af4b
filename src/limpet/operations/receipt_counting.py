"""Divides what a client's answers cost between the pieces that we sent and everything else. Pure, apart from what is
read of files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.ground.clock import seconds_of
from limpet.ground.values import Value
from limpet.transcripts.messages import UsageLine

# The event of a turn for answers from before we recorded anything.
UNRECORDED = "unrecorded"


class ReceiptPiece(Value):
    """A piece of ours. ``kind``: ``rules``, ``memory``, ``always``, ``work``, ``command``, ``candidates``, ``next`` or
    ``frame`` (what stands around the pieces); ``name``: a domain's, or the element's; ``said``: the same in words;
    ``memories``: (short id, title) of those in it; ``reason``: why it came.

    ``tokens``: by our own count, as it was sent once. ``read``: the answers of its own turn for which the model read
    it. ``fresh`` and ``cached`` are ``tokens`` x ``read`` in two: at full price, and from the client's cache. How much
    was cached is always an estimate: no client says which part of a request it was.
    """

    kind: str
    name: str
    said: str
    reason: str
    tokens: int
    memories: tuple[tuple[str, str], ...] = ()
    read: int = 0
    fresh: int = 0
    cached: int = 0


class ReceiptTurn(Value):
    """A prompt or a start, and what came with it. ``event``: ``prompt``, ``session_start``, ``subagent_start``, or
    ``unrecorded`` for answers from before we recorded anything; ``prompt``: its number, 0 for none; ``at``: ISO 8601;
    ``block``: the tokens of what was sent.

    ``usage``: of all its ``answers``, None where the client says nothing. The ``fresh`` and ``cached`` of its pieces,
    ``carried_fresh`` and ``carried_cached`` of pieces that came before and were read again, and ``other`` add up to
    ``usage.total``. ``other`` is None without usage, and below 0 where the client counts less than we do.
    """

    event: str
    prompt: int
    at: str
    block: int
    pieces: tuple[ReceiptPiece, ...]
    answers: int = 0
    usage: UsageLine | None = None
    carried_fresh: int = 0
    carried_cached: int = 0
    other: int | None = None


class SentPiece(Value):
    """``after``: it stands in requests after that moment, in seconds since 1970; 0 for all of its turn. ``rules``:
    (key, text, share of its tokens) of single rules in it."""

    piece: ReceiptPiece
    after: float = 0.0
    rules: tuple[tuple[str, str, float], ...] = ()


class SentTurn(Value):
    """``prompt_id``: the client's, "" for none. ``empties``: the window holds nothing of before. ``aside``: it is
    another agent's, of which the client's answers say nothing."""

    event: str
    prompt: int
    prompt_id: str
    at: str
    pieces: tuple[SentPiece, ...]
    empties: bool = False
    aside: bool = False


class PieceReadings(Value):
    """How often a piece was read in the whole conversation, and at what price; as in ``ReceiptPiece``."""

    sent: SentPiece
    read: int
    fresh: int
    cached: int


def count_readings(
    turns: Sequence[SentTurn], answers: Sequence[UsageLine]
) -> tuple[tuple[ReceiptTurn, ...], tuple[PieceReadings, ...]]:
    """``turns``, ``answers``: the oldest first. A piece is read anew for every answer until the window is emptied."""
    answered = _answers_by_turn(turns, answers)
    found: list[ReceiptTurn] = []
    if early := answered.get(-1):
        usage = sum_usage(early)
        assert usage
        found.append(ReceiptTurn(UNRECORDED, 0, "", 0, (), answers=len(early), usage=usage, other=usage.total))
    held: list[_Held] = []
    everything: list[_Held] = []
    for place, turn in enumerate(turns):
        if turn.empties:
            held = []
        own = [_Held(one) for one in turn.pieces]
        everything += own
        carried = held
        if not turn.aside:
            held = [*held, *own]
        lines = answered.get(place, [])
        before = _price(carried)
        for line in lines:
            for one in held:
                one.read_for(line)
        after = _price(carried)
        found.append(_turn_of(turn, own, lines, after[0] - before[0], after[1] - before[1]))
    return tuple(found), tuple(PieceReadings(one.sent, one.read, one.fresh, one.cached) for one in everything)


def sum_usage(lines: Iterable[UsageLine | None]) -> UsageLine | None:
    """None where there is none."""
    known = [line for line in lines if line]
    if not known:
        return None
    names = ("input", "cache_write", "cache_read", "output")
    return UsageLine(*(sum(getattr(line, name) for line in known) for name in names))


class _Held:
    """A piece in the window, and how often it was read so far."""

    def __init__(self, sent: SentPiece) -> None:
        self.sent = sent
        self.read = self.fresh = self.cached = 0
        self.begin = self.end = 0

    def read_for(self, line: UsageLine) -> None:
        """With its first request it stands somewhere behind what was cached then; of a later one as much of it came
        from the cache as of that stretch."""
        if line.at < self.sent.after:
            return
        asked = line.total - line.output
        share = 0.0
        if self.read and self.end > self.begin:
            share = min(max((line.cache_read - self.begin) / (self.end - self.begin), 0.0), 1.0)
        else:
            self.begin, self.end = line.cache_read, asked
        cached = round(self.sent.piece.tokens * share)
        self.read += 1
        self.cached += cached
        self.fresh += self.sent.piece.tokens - cached


def _price(held: Iterable[_Held]) -> tuple[int, int]:
    pieces = list(held)
    return sum(one.fresh for one in pieces), sum(one.cached for one in pieces)


def _turn_of(
    turn: SentTurn, own: Sequence[_Held], lines: Sequence[UsageLine], carried_fresh: int, carried_cached: int
) -> ReceiptTurn:
    usage = sum_usage(lines)
    ours = sum(_price(own)) + carried_fresh + carried_cached
    pieces = [one.sent.piece.replace(read=one.read, fresh=one.fresh, cached=one.cached) for one in own]
    return ReceiptTurn(
        event=turn.event,
        prompt=turn.prompt,
        at=turn.at,
        block=sum(one.tokens for one in pieces),
        pieces=tuple(pieces),
        answers=len(lines),
        usage=usage,
        carried_fresh=carried_fresh,
        carried_cached=carried_cached,
        other=usage.total - ours if usage else None,
    )


def _answers_by_turn(turns: Sequence[SentTurn], answers: Sequence[UsageLine]) -> dict[int, list[UsageLine]]:
    """By the place of the turn, -1 for answers before the first. By the prompt's id where the client names it, else by
    the time."""
    named: dict[str, int] = {}
    for place, turn in enumerate(turns):
        if turn.prompt_id and not turn.aside:
            named.setdefault(turn.prompt_id, place)
    main = [(seconds_of(turn.at), place) for place, turn in enumerate(turns) if not turn.aside]
    found: dict[int, list[UsageLine]] = {}
    for answer in answers:
        earlier = [place for at, place in main if at <= answer.at]
        place = named.get(answer.prompt, earlier[-1] if earlier else -1)
        found.setdefault(place, []).append(answer)
    return found
