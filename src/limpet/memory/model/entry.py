"""An entry: one thing that is remembered, by a person or an agent. The vocabulary of its fields is defined here."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.memory.model.results import MemoryEvidence

TIERS = ("hot", "warm", "cold")
DURABLE = "durable"
STORAGES = ("session", "daily", DURABLE)
SCOPES = ("shared", "private")
CATEGORIES = ("build", "test", "lint", "runtime", "integration", "security", "general")
SEVERITIES = ("info", "warning", "critical")

PERSON = "person"
# The type of what a person wants.
WISH = "user_correction"
CAPTURED, MODEL, IMPORTED = "capture:", "model:", "import:"
# The section of a body that holds the words it was captured from: read by people, not quoted.
EVIDENCE = "Evidence"
# The tag of an entry that sums a conversation up.
DIGEST = "digest"
# The tag of what a person typed, kept as it was heard: until they look at it, or say it again in another conversation.
UNREVIEWED = "unreviewed"
# The tag of what they said to a question about the work at hand: no standing wish before they looked at it.
ANSWER = "answer"
# How the tag begins that tells on which branch it was said, where that is not one that all work comes to.
BRANCH, LONGEST_BRANCH = "branch:", 60
# And that which says for whom an entry of the knowledge is; no search looks for it.
ROLE = "for:"
LARGEST = 1_000_000
"""Bytes of an entry's file: what is longer is no note that anyone wrote down."""
# The fields of an entry and of its card that hold what somebody wrote as they pleased.
_ABOUT = ("tags", "agent", "session", "source", "superseded_by")
SPOKEN = ("title", "body", "workaround", "paths", "shared_by", "supersedes", *_ABOUT)
SPOKEN_OF_CARD = ("title", "excerpt", "author", *_ABOUT)
KEEP_LESS = "Keep what is worth remembering; move the rest elsewhere."
# Where a sentence that is too long for a title is parted: at its end, and at the beginning of the body.
CUT, GOES_ON = " ...", "... "
SECTORS = ("episodic", "semantic", "procedural", "reflective")


class MemoryEntry(Value):
    """One memory (chati.dev V7.1 section 4.3, with what decision 23 adds).

    Times are ISO texts ending in ``Z``, "" for never.
    ``agent``: who recorded it, "" when none was active.
    ``source``: how it came: ``person``, ``agent:<id>``, ``capture:<conversation>`` or ``import:<system>``.
    ``evidence``: the newest moments that spoke for it or against it; ``evidence_count`` counts all that spoke for it.
    ``valid_from``, ``valid_until``: bounds of what held only for a time.
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
    evidence: tuple[MemoryEvidence, ...] = ()
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


class Card(Value):
    """An entry in the index. Times are seconds since 1970, 0 for never.

    ``path`` is from ``memories/``.
    ``excerpt``: its substance in some 200 tokens, redacted.
    ``size``: tokens of the whole entry.
    ``stale``: a file that it cites changed since, or code that it names is gone.
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
    """A question to the index. Every field but ``owners`` (None for all) filters where it is not empty. ``since``,
    ``until``: bounds of the creation, in seconds since 1970. ``valid``: leave out what was superseded or has expired.
    ``digests``: whether digests of conversations are among what is found."""

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
    """A card that was found. ``score``: by its words, unbounded, comparable within one query. ``relevance``: share of
    the query's weight that it meets. ``attention``: what it is ranked by. ``share``: its score as a part of the best
    one's. All but the score are 0 to 1."""

    card: Card
    score: float
    relevance: float
    attention: float
    share: float = 0.0


def branch_of(tags: tuple[str, ...]) -> str:
    """On which it was said, "" for one that all work comes to. One word only: it stands outside the quotation."""
    names = (tag.removeprefix(BRANCH) for tag in tags if tag.startswith(BRANCH) and len(tag) <= LONGEST_BRANCH)
    return next((name for name in names if len(name.split()) == 1), "")


def is_in_force(card: Card, now: float) -> bool:
    is_over = any(0 < end <= now for end in (card.expires, card.valid_until))
    return card.state == "current" and not card.superseded_by and not card.flags and not is_over


class Type(Value):
    """A type of entry.

    ``sector``: the one it belongs to where nobody says otherwise.
    ``stated``: somebody said it; it starts with more confidence than what was concluded (decision 23).
    ``private_first``: what capture finds stays with the active agent until it is validated (decision 22).
    ``section``: its heading in a conversation's digest, "" for none.
    """

    sector: str
    stated: bool = False
    private_first: bool = False
    section: str = ""


TYPE_TABLE = {
    "decision": Type("episodic", stated=True, section="Decisions"),
    "user_correction": Type("reflective", stated=True, section="Corrections"),
    "error_pattern": Type("reflective", private_first=True, section="Errors"),
    "resolution": Type("procedural", private_first=True, section="Resolutions"),
    "validated_pattern": Type("procedural", private_first=True, section="Patterns"),
    "gotcha": Type("reflective", private_first=True),
    "lesson": Type("reflective"),
    "episodic": Type("episodic"),
    "semantic": Type("semantic"),
    "procedural": Type("procedural"),
    "reflective": Type("reflective"),
}
TYPES = tuple(TYPE_TABLE)
STATED_TYPES = tuple(name for name, kind in TYPE_TABLE.items() if kind.stated)
PRIVATE_TYPES = tuple(name for name, kind in TYPE_TABLE.items() if kind.private_first)
# Type -> its sector.
SECTOR_OF = {name: kind.sector for name, kind in TYPE_TABLE.items()}
