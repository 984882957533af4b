"""An entry: one thing that is remembered, by a person or an agent. The vocabulary of its fields is defined here."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.memory.model.evidence import Evidence

TIERS = ("hot", "warm", "cold")
DURABLE = "durable"
STORAGES = ("session", "daily", DURABLE)
SCOPES = ("shared", "private")
CATEGORIES = ("build", "test", "lint", "runtime", "integration", "security", "general")
SEVERITIES = ("info", "warning", "critical")

PERSON = "person"
CAPTURED, MODEL = "capture:", "model:"
# The section of a body that holds the words it was captured from: read by people, not quoted.
EVIDENCE = "Evidence"
# The tag of an entry that sums a conversation up.
DIGEST = "digest"
LARGEST = 1_000_000
"""Bytes of an entry's file: what is longer is no note that anyone wrote down."""
KEEP_LESS = "Keep what is worth remembering; move the rest elsewhere."


class Entry(Value):
    """One memory (chati.dev V7.1 section 4.3, with what decision 23 adds).

    Times are ISO texts ending in ``Z``, "" for never.
    ``agent``: who recorded it, "" when none was active.
    ``source``: how it came: ``person``, ``agent:<id>``, ``capture:<conversation>`` or ``import:<system>``.
    ``session``: the conversation.
    ``evidence``: the newest moments that spoke for it or against it; ``evidence_count`` counts all that spoke for it.
    ``paths``: the project's files that the text cites.
    ``valid_from``, ``valid_until``: bounds of what held only for a time.
    ``superseded_by``, ``supersedes``: ids.
    ``flags``: why it must be read with care; ``instruction``: it reads like an order.
    ``category``, ``severity``, ``workaround``, ``resolved``: of gotchas alone.
    ``shared_by``, ``shared_at``: who shared it with the team, by their own word, and when.
    ``tier``, ``access_count``, ``last_accessed``: a cached copy that maintenance keeps.
    """

    id: str
    type: str
    title: str
    body: str
    agent: str = ""
    tags: tuple[str, ...] = ()
    confidence: float = 0.6
    sector: str = "episodic"
    tier: str = "warm"
    created_at: str = ""
    access_count: int = 0
    last_accessed: str = ""
    evidence_count: int = 1
    evidence: tuple[Evidence, ...] = ()
    storage: str = "daily"
    scope: str = "shared"
    pinned: bool = False
    source: str = ""
    session: str = ""
    paths: tuple[str, ...] = ()
    expires_at: str = ""
    valid_from: str = ""
    valid_until: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    flags: tuple[str, ...] = ()
    category: str = ""
    severity: str = ""
    workaround: str = ""
    resolved: bool = False
    shared_by: str = ""
    shared_at: str = ""
