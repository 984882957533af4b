"""Cards: enough of an entry to list, rank and quote it without opening its file, as the prompt hook does."""

from __future__ import annotations

from limpet.ground.values import Value


class Card(Value):
    """An entry in the index. Times are seconds since 1970, 0 for never.

    ``path`` is from ``memories/``.
    ``excerpt``: its substance in some 200 tokens, redacted.
    ``size``: tokens of the whole entry.
    ``stale``: a file that it cites changed since.
    ``state``: ``current``, ``archive`` or ``forgotten``.
    ``last_evidence``: the latest of ``Entry.evidence`` that spoke for it.
    ``author``: who shared it with the team, in a few words; "" for what is not the team's.
    """

    id: str
    path: str
    owner: str
    type: str
    sector: str
    storage: str
    title: str
    excerpt: str = ""
    tags: tuple[str, ...] = ()
    agent: str = ""
    session: str = ""
    source: str = ""
    created: float = 0.0
    last_accessed: float = 0.0
    accesses: int = 0
    evidence: int = 1
    confidence: float = 0.6
    pinned: bool = False
    tier: str = "warm"
    expires: float = 0.0
    valid_until: float = 0.0
    superseded_by: str = ""
    flags: tuple[str, ...] = ()
    stale: bool = False
    resolved: bool = False
    state: str = "current"
    size: int = 0
    last_evidence: float = 0.0
    author: str = ""


class Query(Value):
    """A question to the index. Every field but ``owners`` filters where it is not empty.

    ``owners``: those whose entries may be seen, as ``access.owners`` gives them; None for all.
    ``since``, ``until``: bounds of the creation, in seconds since 1970.
    ``valid``: leave out what was superseded or has expired.
    ``digests``: whether digests of conversations are among what is found.
    ``states``: where to look.
    """

    text: str = ""
    owners: tuple[str, ...] | None = ()
    sector: str = ""
    tier: str = ""
    tag: str = ""
    type: str = ""
    storage: str = ""
    session: str = ""
    since: float = 0.0
    until: float = 0.0
    valid: bool = True
    digests: bool = True
    states: tuple[str, ...] = ("current",)
    limit: int = 10
    now: float = 0.0


class Hit(Value):
    """A card that was found.

    ``score``: by its words, unbounded, comparable within one query.
    ``relevance``: share of the query's weight that it meets, 0 to 1.
    ``attention``: what it is ranked by, and what people see as its score, 0 to 1.
    ``share``: its score as a part of the best one's, 0 to 1.
    """

    card: Card
    score: float
    relevance: float
    attention: float
    share: float = 0.0


def is_in_force(card: Card, now: float) -> bool:
    """Return whether the entry may be told as it stands."""
    is_over = any(0 < end <= now for end in (card.expires, card.valid_until))
    return card.state == "current" and not card.superseded_by and not card.flags and not is_over
