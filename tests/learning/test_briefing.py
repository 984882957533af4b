"""What is chosen for a piece of work, and why."""

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.learning.briefing import Topic, briefed_line, select_entries, work_of
from limpet.learning.model import ANTI_PATTERN, PRINCIPLE, PROCEDURE, KnowledgeEntry
from limpet.learning.roles import is_for, roles_of

SETTINGS = DEFAULTS["learning"]
TOPIC = Topic("Implement the login endpoint with rate limits", ("src/api/login.py",), ("tdd",))


def chosen(*entries, topic=TOPIC, **settings):
    """id -> what is told of it, in its order."""
    stores = {}
    for number, fields in enumerate(entries, 1):
        kind = fields.pop("kind", PRINCIPLE)
        entry = KnowledgeEntry(**{"kind": kind, "id": f"E-{number}", "text": "Something of no concern", **fields})
        stores[kind] = (*stores.get(kind, ()), entry)
    return {one.entry.id: one for one in select_entries(stores, topic, {**SETTINGS, **settings})}


def test_words_tags_files_and_triggers_make_an_entry_relevant():
    """Each with the reason; a single word of the text is too little."""
    found = chosen(
        {"tags": ("login",)},
        {"text": "Rate limits lie in one module"},
        {"text": "Handlers in src/api/*.py return early"},
        {"kind": ANTI_PATTERN, "text": "Sleeping in a handler", "trigger_patterns": ("RATE LIMIT",)},
        {"text": "An endpoint of its own"},
        {"text": "Colours are hexadecimal"},
    )
    assert {key: one.relevance for key, one in found.items()} == {
        "E-4": "triggered by: RATE LIMIT",
        "E-3": "named by src/api/*.py; shares: api, src",
        "E-2": "shares: limits, rate",
        "E-1": "shares: login",
    }
    assert found["E-4"].worth == 8


def test_a_procedure_is_told_for_its_kind_of_work():
    """Where it names another, not even its words count."""
    about = {"kind": PROCEDURE, "text": "Rate the login limits first"}
    found = chosen(
        {**about, "applies_to": "tdd"}, {**about, "applies_to": "review"}, {**about, "applies_to": "general"}
    )
    assert {key: one.relevance.rpartition("; ")[2] for key, one in found.items()} == {
        "E-1": "applies to tdd",
        "E-3": "applies to any work",
    }


def test_relevance_times_confidence_decides_the_order_and_who_is_left_out():
    """At most so many; archived ones never."""
    found = chosen(
        {"tags": ("login",), "confidence": 0.5},
        {"tags": ("login",), "confidence": 0.9},
        {"tags": ("login", "endpoint"), "confidence": 0.7},
        {"tags": ("login", "endpoint"), "confidence": 1.0, "status": "archived"},
        briefing_entries=2,
    )
    assert list(found) == ["E-3", "E-2"]


def test_one_place_is_for_an_entry_to_be_checked_again():
    """Of those that lost their confidence and are not archived yet, however many there are (decision 31)."""
    found = chosen(
        *({"tags": ("login",), "confidence": 0.8} for _ in range(3)),
        {"tags": ("login",), "confidence": 0.3},
        {"tags": ("login", "endpoint"), "confidence": 0.3},
        {"tags": ("login", "endpoint", "rate"), "confidence": 0.1},
        briefing_entries=3,
    )
    assert [(key, one.recheck) for key, one in found.items()] == [("E-1", False), ("E-2", False), ("E-5", True)]
    assert briefed_line(found["E-5"]).startswith("E-5 (0.3, does it still hold?) ")


def test_words_that_many_entries_hold_tell_nothing():
    """In a store of any size, what is in most of its entries decides nothing."""
    common = tuple({"text": f"The login endpoint, case {number}"} for number in range(20))
    assert list(chosen(*common, {"text": "A limit per login rate"})) == ["E-21"]


def test_an_agent_gets_the_entries_of_its_roles():
    """Those without roles are everybody's; who has no role gets all; settings come first."""
    found = chosen(
        {"tags": ("login",), "roles": ("developer",)},
        {"tags": ("login",), "roles": ("sw-quality", "architect")},
        {"tags": ("login",)},
    )

    def of(agent, **own):
        roles = roles_of(agent, own)
        return [one.entry.id for one in found.values() if is_for(roles, one.entry.roles)]

    assert [of("dev"), of("qa-planning"), of("architect")] == [["E-1", "E-3"], ["E-2", "E-3"], ["E-2", "E-3"]]
    assert of("somebody") == ["E-1", "E-2", "E-3"]
    assert of("dev", dev=["sw-quality"]) == ["E-2", "E-3"]
    assert (work_of("dev"), work_of("qa-implementation")) == (("tdd", "bugfix"), ("review",))


@pytest.mark.parametrize("name", [".github/workflows/ci.yml", ".gitignore", ".eslintrc.json", "next.config.js"])
def test_a_file_is_named_by_its_whole_name(name):
    """Its dots among it."""
    (one,) = chosen({"text": f"Keep {name} short"}, topic=TOPIC.replace(files=(name,))).values()
    assert one.relevance.startswith(f"named by {name}")
