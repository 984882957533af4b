"""The log of failed tools: what was appended comes back, and only as much is read as is asked for."""

import os
import stat
import sys

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.storage import json_lines
from limpet.memory.gotchas.gotchas import OLDER, Occurrence, append_occurrence, read_occurrences

from ..cards import NOW

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
    first = make(1, session="s1", tool_use_id="t1", paths=("a.py", "ü.py"))
    append(shared, make(3), writer="one")
    append(shared, first, make(2), writer="two/../x")
    assert read_occurrences(shared, 0) == [first, make(2), make(3)]


def test_only_what_is_young_enough_comes_back(shared):
    append(shared, make(1), make(2.5), make(3))
    assert read_occurrences(shared, NOW + 2.5) == [make(2.5), make(3)]


def test_where_nothing_ever_failed_there_is_nothing(shared):
    assert read_occurrences(shared, 0) == []


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


def test_secrets_do_not_reach_the_disk(shared):
    secret = "sk-ant-" + "a1B2" * 10
    append(shared, make(1, sample=f"Error: {secret}", signature=f"error {secret}", tool=f"curl {secret}"))
    with open(log(shared), "rb") as file:
        assert secret.encode() not in file.read()


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
def test_the_log_is_its_owners_only(shared):
    append(shared, make(1))
    assert stat.S_IMODE(os.stat(log(shared)).st_mode) == 0o600


def test_what_a_clock_that_was_set_back_wrote_in_between_hides_nothing(shared):
    """Sixty days back for an hour, and right again."""
    for at in (1, 2 - 60 * 86_400, 3):
        append(shared, make(at))
    assert read_occurrences(shared, NOW) == [make(1), make(3)]
