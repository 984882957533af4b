"""Cards for tests: one by its fields, and any card that an index can hold."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.model.entry import SECTORS, STORAGES, TIERS, TYPES, Card

SETTINGS = DEFAULTS["memory"]
QUICK = settings(max_examples=75, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
SLOW = settings(QUICK, max_examples=30)
DAY = 86_400.0
NOW = 1_800_000_000.0


def make_card(**fields):
    """A daily shared card made now, of full confidence."""
    plain = {"id": "a", "path": "", "owner": "shared", "type": "decision", "sector": "episodic", "title": ""}
    return Card(**{**plain, "storage": "daily", "created": NOW, "confidence": 1.0, **fields})


def days_ago(days):
    """A timestamp before now, in whole seconds, as entries hold them."""
    return float(int(NOW - days * DAY))


timestamps = st.floats(0, 400).map(days_ago)
never_or_timestamps = st.one_of(st.just(0.0), timestamps)
cards = st.builds(
    make_card,
    owner=st.sampled_from(("shared", "dev", "somebody")),
    type=st.sampled_from(TYPES),
    sector=st.sampled_from(SECTORS),
    storage=st.sampled_from(STORAGES),
    session=st.sampled_from(("", "s1", "s2", "s3")),
    source=st.sampled_from(("", "person", "agent:dev", "capture:s1", "import:chati")),
    created=timestamps,
    last_accessed=never_or_timestamps,
    last_evidence=never_or_timestamps,
    accesses=st.integers(0, 10_000),
    evidence=st.integers(1, 7),
    confidence=st.floats(0, 1),
    pinned=st.booleans(),
    tier=st.sampled_from(TIERS),
    expires=st.one_of(st.just(0.0), st.floats(-50, 50).map(days_ago)),
    superseded_by=st.sampled_from(("", "", "other")),
    flags=st.sampled_from(((), (), ("instruction",))),
)
texts = st.text(st.characters(exclude_categories=()), max_size=200)
