"""What a conversation cost, and how much of it was what we sent: each piece by our own count beside what the client says
that its answers cost; and a conversation's blocks again as they were."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.operations.project import Project
from limpet.transcripts.answers import UsageLine

# What is said of a rule without a check, and of all that is no rule.
NOT_JUDGED = "not judged"


class ReceiptPiece(Value):
    """A piece of ours. ``kind``: ``rules``, ``memory``, ``always``, ``work``, ``command``, ``candidates``, ``next`` or
    ``frame`` (what stands around the pieces); ``name``: a domain's, or the element's; ``said``: the same in words;
    ``memories``: ids of those in it; ``reason``: why it came.

    ``tokens``: by our own count, as it was sent once. ``read``: the answers for which the model read it, those of its
    own turn alone in a turn. ``fresh`` and ``cached`` are ``tokens`` x ``read`` in two: at full price, and from the
    client's cache. How much was cached is always an estimate: no client says which part of a request it was.
    """

    kind: str
    name: str
    said: str
    reason: str
    tokens: int
    memories: tuple[str, ...] = ()
    read: int = 0
    fresh: int = 0
    cached: int = 0


class ReceiptTurn(Value):
    """A prompt, a start or a subagent's start, and what came with it. ``event``: ``prompt``, ``session_start`` or
    ``subagent_start``; ``prompt``: its number, 0 for a start; ``at``: ISO 8601; ``block``: the tokens of what was sent.

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


class ReceiptSum(Value):
    """All of a conversation that has one name. ``kind``: as of a piece; a single rule is a ``rule``, named by its key
    (``GIT_RULE_1``), where the block's text is kept. ``sent``: how often; ``tokens``: of all times. ``kept``:
    ``not judged``, or for a rule with a check how many turns kept and broke it."""

    kind: str
    name: str
    said: str
    sent: int
    tokens: int
    fresh: int
    cached: int
    kept: str = NOT_JUDGED


class Receipt(Value):
    """``turns``: the oldest first. ``usage``: of the whole conversation, None where its client says nothing.
    ``fresh``, ``cached`` (an estimate) and ``other`` add up to ``usage.total``. ``by_piece``: the dearest first;
    ``by_rule``: the same of single rules, which are in the pieces already. ``notes``: what must be said of these
    figures, the error of our own count first."""

    conversation: str
    title: str
    client: str
    turns: tuple[ReceiptTurn, ...]
    usage: UsageLine | None
    sent: int
    fresh: int
    cached: int
    other: int | None
    by_piece: tuple[ReceiptSum, ...]
    by_rule: tuple[ReceiptSum, ...]
    notes: tuple[str, ...]


class ReplayedTurn(Value):
    """A block as it was sent, "" where none was or its text is not kept, of which ``state`` says why: ``sent``,
    ``nothing``, ``private``, ``failed`` or ``gone``. ``text``: what was typed, without secrets, "" where that is not
    known."""

    event: str
    prompt: int
    at: str
    bracket: str
    state: str
    text: str
    block: str
    pieces: tuple[ReceiptPiece, ...]


def conversation_receipt(project: Project, conversation: str) -> Receipt:
    """``conversation``: an id or its beginning, "" for the newest. Raises LimpetError where there is none, or it is
    private."""
    raise NotImplementedError


def replay(project: Project, conversation: str) -> tuple[ReplayedTurn, ...]:
    """The oldest first; an agent gets the blocks of its own conversation alone. Raises LimpetError as
    ``conversation_receipt`` does."""
    raise NotImplementedError
