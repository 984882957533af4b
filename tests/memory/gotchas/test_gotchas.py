"""Gotchas: the same error three times within a real day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.gotchas.gotchas import (
    Occurrence,
    draft,
    find_gotchas,
    gotcha_evidence_of,
    make_occurrence,
    signature_tag,
)
from limpet.memory.gotchas.signatures import find_error
from limpet.memory.model.entry import CATEGORIES, SEVERITIES, MemoryEntry

from ..cards import NOW, QUICK, SETTINGS

HOUR = 3600.0


def fail(hours, text="ValueError: bad input", **fields):
    return make_occurrence(text, fields.pop("tool", "Bash"), NOW - hours * HOUR, **fields)


# The window


@pytest.mark.parametrize(
    ("row", "hours", "found"),
    [
        ("three at once", (1, 1.1, 1.2), True),
        ("three within a day", (0, 12, 24), True),
        ("three in a day and a second", (0, 12, 24 + 1 / 3600), False),
        ("two", (0, 1), False),
        ("three over six days", (0, 72, 144), False),
        ("three within a day of last week", (150, 155, 160, 3), True),
        ("one each day for a week", (0, 25, 50, 75, 100, 125), False),
        ("across midnight and out of order", (13, 1, 20), True),
        ("one of them in the future", (0, 1, -1), False),
    ],
)
def test_a_gotcha_is_the_same_error_three_times_within_any_real_day(row, hours, found):
    gotchas = find_gotchas([fail(each, session=str(each)) for each in hours], NOW, SETTINGS)
    assert list(gotchas) == (["valueerror: bad input"] if found else [])


def test_a_failure_that_is_told_twice_counts_once():
    told = [fail(1, tool_use_id="t1"), fail(0.9, tool_use_id="t1"), fail(0.8, tool_use_id="t2")]
    assert find_gotchas(told, NOW, SETTINGS) == {}


def test_without_an_id_two_hooks_within_the_same_second_told_one_failure():
    assert find_gotchas([fail(1), fail(1), fail(2), fail(2)], NOW, SETTINGS) == {}


def test_errors_that_differ_by_place_only_add_up():
    texts = [
        f"src/{name}.ts({line},5): error TS2322: Type 'x' is bad." for name, line in (("a", 1), ("b", 22), ("c", 3))
    ]
    assert list(find_gotchas([fail(hours, text) for hours, text in enumerate(texts)], NOW, SETTINGS)) == [
        "error ts2322: type <text> is bad."
    ]


def test_different_errors_do_not_add_up_and_silence_is_no_error():
    texts = ("ValueError: bad input", "TypeError: no such thing", "", "Exit code 1", "Exit code 1", "Exit code 1")
    assert find_gotchas([fail(number, text) for number, text in enumerate(texts)], NOW, SETTINGS) == {}


def test_the_settings_say_how_often_and_how_long():
    told = [fail(0), fail(30)]
    assert find_gotchas(told, NOW, {**SETTINGS, "gotcha_times": 2, "gotcha_hours": 30})
    assert not find_gotchas(told, NOW, {**SETTINGS, "gotcha_times": 2, "gotcha_hours": 29})


@QUICK
@given(st.lists(st.integers(0, 80), max_size=9), st.integers(1, 4))
def test_the_window_is_found_wherever_it_lies(hours, times):
    settings = {**SETTINGS, "gotcha_times": times}
    told = [fail(hour, session=str(number)) for number, hour in enumerate(hours)]
    expected = any(sum(start <= other <= start + 24 for other in hours) >= times for start in hours)
    assert bool(find_gotchas(told, NOW, settings)) is expected


# Occurrence and draft


def test_a_secret_is_in_no_part_of_an_occurrence():
    secret = "sk-ant-" + "a1B2" * 10
    told = make_occurrence(f"Error: bad key {secret} given", f"curl -H {secret}", NOW)
    assert secret not in repr(told)
    assert "hunter2hunter2" not in repr(
        make_occurrence("Error: hunter2hunter2 is wrong", "x", NOW, secrets=("hunter2hunter2",))
    )


def test_a_sample_begins_with_the_error_or_shows_it_first():
    deep = "log line\n" * 500 + "ValueError: bad input"
    assert fail(0, deep).sample.startswith("ValueError: bad input\nlog line")
    assert fail(0, "ValueError: bad input\nmore").sample == "ValueError: bad input\nmore"


def test_the_draft_tells_what_happened_when_and_where():
    told = (
        fail(
            5, "src/a.ts(1,5): error TS2322: Type 'x' is bad.", session="s1", tool="npm run build", paths=("src/a.ts",)
        ),
        fail(
            3, "src/a.ts(1,5): error TS2322: Type 'x' is bad.", session="s1", tool="npm run build", paths=("src/a.ts",)
        ),
        fail(
            1, "src/b.ts(7,5): error TS2322: Type 'y' is bad.", session="s2", tool="npm run build", paths=("src/b.ts",)
        ),
    )
    ((signature, found),) = find_gotchas(told, NOW, SETTINGS).items()
    fields = draft(signature, found)
    body = fields.pop("body")
    assert fields == {
        "type": "gotcha",
        "title": "error TS2322: Type 'y' is bad.",
        "category": "build",
        "severity": "warning",
        "workaround": "",
        "resolved": False,
        "tags": ("build", signature_tag(signature)),
        "paths": ("src/a.ts", "src/b.ts"),
        "session": "s2",
        "evidence_count": 3,
        "evidence": tuple(map(gotcha_evidence_of, found)),
    }
    assert body.startswith("## Evidence\n\n")
    assert "2027-01-15T07:00:00Z, npm run build in conversation s2:\n\n    src/b.ts(7,5): error TS2322" in body
    assert body.count("src/a.ts(1,5)") == 1


@QUICK
@given(st.lists(st.text(max_size=400), min_size=1, max_size=4))
def test_any_occurrences_make_an_entry_of_the_vocabulary(texts):
    told = [fail(number, text) for number, text in enumerate(texts)][::-1]
    entry = MemoryEntry(id="g", **draft("signature", told))
    assert len(entry.title) <= 120
    assert "\n" not in entry.title
    assert entry.title
    assert (entry.category in CATEGORIES, entry.severity in SEVERITIES) == (True, True)


def test_the_tag_of_a_signature_is_stable_and_its_own():
    assert signature_tag("a") == signature_tag("a") != signature_tag("b")


def test_the_signature_of_a_title_is_that_of_its_gotcha():
    told = [fail(number, "Exit code 1\nValueError: bad input 7") for number in range(3)]
    ((signature, found),) = find_gotchas(told, NOW, SETTINGS).items()
    assert find_error(draft(signature, found)["title"])[1] == signature


def test_an_occurrence_is_a_value():
    assert fail(1) == Occurrence("valueerror: bad input", "ValueError: bad input", "Bash", NOW - HOUR)
