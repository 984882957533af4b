"""Observations as random stories have them, from a few sentences, so that some are alike and others nearly."""

from hypothesis import strategies as st

from limpet.learning.model import CHECK, RELATIONSHIPS, SEVERITIES, TYPES, Observation

TEXTS = (
    "Validate the email in the service layer",
    "Validate the email address in the service layer",
    "Routes import concrete repositories directly",
    "Routes were importing concrete repositories directly",
    "Coverage is checked after each file",
    "Coverage is checked after each changed file",
    "Money is kept in cents",
    "Retries need a deadline",
)
GUIDANCE = ((), (), ("Use a regular expression",), ("Use a regular expression for it",), ("Count in cents",))
TAGS = ((), ("security",), ("api", "layering"), ("workflow",), ("api",), ("workflow", "coverage"))
SOURCES = ("S-1", "S-2", "S-3", "S-4", "S-5", "conversation:abc")
ENTRIES = ("PR-001", "PR-002", "PR-003", "AP-001", "PC-001")


def make(type, text, tags, guidance, source, importance, agent, entry, relationship, resolved, severity, minute):
    is_check = type == CHECK
    return Observation(
        source=source,
        id="",
        type=type,
        text=text,
        tags=tags,
        guidance=guidance,
        importance=importance,
        agent=agent,
        resolved=resolved,
        severity=severity,
        principle_id=entry if is_check else "",
        relationship=relationship if is_check else "",
        at=minute and f"2026-11-{10 + SOURCES.index(source)}T10:{minute:02}:00Z",
    )


observations = st.builds(
    make,
    type=st.sampled_from(TYPES),
    text=st.sampled_from(TEXTS),
    tags=st.sampled_from(TAGS),
    guidance=st.sampled_from(GUIDANCE),
    source=st.sampled_from(SOURCES),
    importance=st.sampled_from((3, 7, 9)),
    agent=st.sampled_from(("developer", "sw-quality", "")),
    entry=st.sampled_from(ENTRIES),
    relationship=st.sampled_from(RELATIONSHIPS),
    resolved=st.sampled_from((None, False, True)),
    severity=st.sampled_from(("", *SEVERITIES)),
    minute=st.sampled_from(("", 1, 2, 30)),
)


def numbered(found):
    """The observations source by source, each with its id there."""
    ordered = []
    for source in SOURCES:
        mine = [each for each in found if each.source == source]
        ordered += [each.replace(id=f"OB-{number:03}") for number, each in enumerate(mine, 1)]
    return tuple(ordered)


histories = st.lists(observations, max_size=24).map(numbered)
