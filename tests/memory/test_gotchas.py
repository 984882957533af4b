"""Gotchas: the same error three times within a real day."""

import os
import stat
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.storage import json_lines
from limpet.memory.gotchas import (
    OLDER,
    Occurrence,
    append_occurrence,
    categorise,
    draft,
    find_gotchas,
    gotcha_evidence_of,
    make_occurrence,
    read_occurrences,
    severity_of,
    severity_rank,
    signature_tag,
)
from limpet.memory.model.entry import CATEGORIES, SEVERITIES, MemoryEntry
from limpet.memory.signatures import find_error

from .cards import NOW, QUICK, SETTINGS

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
    """By its id; without one, two hooks within the same second told one failure."""
    told = [fail(1, tool_use_id="t1"), fail(0.9, tool_use_id="t1"), fail(0.8, tool_use_id="t2")]
    assert find_gotchas(told, NOW, SETTINGS) == {}
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
    told = [
        fail(
            hours, f"{path}: error TS2322: Type '{name}' is bad.", session=session, tool="npm run build", paths=(file,)
        )
        for hours, path, name, session, file in (
            (5, "src/a.ts(1,5)", "x", "s1", "src/a.ts"),
            (3, "src/a.ts(1,5)", "x", "s1", "src/a.ts"),
            (1, "src/b.ts(7,5)", "y", "s2", "src/b.ts"),
        )
    ]
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


def test_the_signature_of_a_title_is_that_of_its_gotcha():
    """And has a tag of its own."""
    told = [fail(number, "Exit code 1\nValueError: bad input 7") for number in range(3)]
    ((signature, found),) = find_gotchas(told, NOW, SETTINGS).items()
    assert find_error(draft(signature, found)["title"])[1] == signature
    assert signature_tag("a") == signature_tag("a") != signature_tag("b")


@pytest.mark.parametrize(
    ("text", "tool", "category"),
    [
        ("the latest author attested the contest", "", "general"),
        ("", "", "general"),
        ("two tests fail", "", "test"),
        ("something broke", "npm run build", "build"),
        ("something broke", "npm test", "test"),
        ("something broke", "Bash: python -m pytest -q", "test"),
        ("something broke", "npx eslint .", "lint"),
        ("something broke", "docker compose up", "integration"),
        ("error TS2322: Type is bad", "Bash", "build"),
        ("error[E0308]: mismatched types", "", "build"),
        ("npm ERR! ERESOLVE unable to resolve dependency tree", "Bash", "build"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "Bash", "integration"),
        ("TypeError: x is undefined", "Bash", "runtime"),
        ("ValueError: bad input", "", "runtime"),
        ("401 Unauthorized: the certificate expired", "", "security"),
        ("could not inject the value", "", "general"),
        ("the date has a bad format", "", "general"),
    ],
)
def test_the_category_is_what_the_tool_is_for_or_the_words_tell_of(text, tool, category):
    assert categorise(text, tool) == category


def test_every_category_can_come_out():
    found = {categorise(word) for word in ("compile", "pytest", "eslint", "crash", "webhook", "csrf", "hello")}
    assert found == set(CATEGORIES)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("ValueError: bad input", "warning"),
        ("something odd", "warning"),
        ("could not inject the segment", "warning"),
        ("Segmentation fault (core dumped)", "critical"),
        ("JavaScript heap out of memory", "critical"),
        ("index.lock is corrupted", "critical"),
        ("1 vulnerability found", "critical"),
        ("DeprecationWarning: the punycode module is deprecated", "info"),
        ("warning: deprecated call, then TypeError: x", "warning"),
    ],
)
def test_severity_tells_what_loses_data_from_what_only_warns(text, severity):
    assert severity_of(text) == severity


def test_critical_ranks_before_warning_before_info_before_what_nobody_graded():
    assert sorted(["", "info", *SEVERITIES], key=severity_rank) == ["critical", "warning", "info", "info", ""]


RETENTION = DEFAULTS["retention"]


def make(at, **fields):
    return Occurrence(**{"signature": "s", "sample": "Error: x", "tool": "Bash", "at": NOW + at, **fields})


def append(shared, *many, writer="claude-code hook", retention=RETENTION):
    for occurrence in many:
        append_occurrence(shared, occurrence, retention, writer)


def log(shared):
    """The only log that there is."""
    folder = os.path.join(shared, "events")
    (name,) = os.listdir(folder)
    return os.path.join(folder, name)


def test_what_was_appended_comes_back_the_oldest_first_from_all_writers(shared):
    """As far as it is young enough."""
    assert read_occurrences(shared, 0) == []
    first = make(1, session="s1", tool_use_id="t1", paths=("a.py", "ü.py"))
    append(shared, make(3), writer="one")
    append(shared, first, make(2), writer="two/../x")
    assert read_occurrences(shared, 0) == [first, make(2), make(3)]
    assert read_occurrences(shared, NOW + 2) == [make(2), make(3)]


def test_torn_foreign_and_hostile_lines_are_passed_over(shared):
    append(shared, make(1))
    with open(log(shared), "ab") as file:
        file.write(b'{"data": 1}\n\xff\xfe\n[]\n{"kind": "tool.failed", "data": {"at": "x"}}\n{"torn": \n\n')
    append(shared, make(2))
    assert read_occurrences(shared, 0) == [make(1), make(2)]


def test_a_log_that_was_rotated_is_read_on(shared):
    small = {**RETENTION, "events_bytes": 1500}
    many = [make(number) for number in range(15)]
    append(shared, *many, retention=small)
    assert {name.rpartition(".")[2] for name in os.listdir(os.path.join(shared, "events"))} == {"jsonl", "1", "2"}
    found = read_occurrences(shared, 0)
    assert found == many[-len(found) :]
    assert len(found) == 15


def test_no_more_is_read_than_is_young_enough(shared, monkeypatch):
    append(shared, *(make(number * 100) for number in range(50)))
    parsed = []
    monkeypatch.setattr(json_lines, "loads", lambda line, loads=json_lines.loads: parsed.append(line) or loads(line))
    assert len(read_occurrences(shared, NOW + 4600)) == 4
    assert len(parsed) == 4 + OLDER


def test_secrets_do_not_reach_the_disk_and_the_log_is_its_owners_only(shared):
    secret = "sk-ant-" + "a1B2" * 10
    append(shared, make(1, sample=f"Error: {secret}", signature=f"error {secret}", tool=f"curl {secret}"))
    with open(log(shared), "rb") as file:
        assert secret.encode() not in file.read()
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(log(shared)).st_mode) == 0o600


def test_what_a_clock_that_was_set_back_wrote_in_between_hides_nothing(shared):
    """Sixty days back for an hour, and right again."""
    for at in (1, 2 - 60 * 86_400, 3):
        append(shared, make(at))
    assert read_occurrences(shared, NOW) == [make(1), make(3)]
