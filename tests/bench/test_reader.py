"""The count of what a reader opened: shares with their intervals, of a key and answers that are made here."""

import json

import pytest

from .bench_module import bench_module

KEY = {
    "1": {"needing": True, "right": ["aaaaaaaa", "bbbbbbbb"], "whole": False},
    "2": {"needing": True, "right": ["cccccccc"], "whole": True},
    "3": {"needing": True, "right": ["dddddddd"], "whole": False},
    "4": {"needing": False, "right": [], "whole": False},
}
ANSWERS = [{"n": 1, "open": ["bbbbbbbb", "eeeeeeee"]}, {"n": 3, "open": []}, {"n": 4, "open": ["aaaaaaaa"]}]


def test_the_answers_are_counted_against_the_key(tmp_path, capsys):
    """What was not answered opened nothing; what stood whole was served."""
    (tmp_path / "key.json").write_text(json.dumps(KEY))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(map(json.dumps, ANSWERS)))
    with bench_module("reader") as reader:
        reader.score(tmp_path, answers)
    shares = [line.rpartition(":")[2].partition(" (")[0].strip() for line in capsys.readouterr().out.splitlines()]
    assert shares == ["33 %", "67 %", "50 %", "100 %"]


@pytest.mark.parametrize(("part", "whole", "low", "high"), [(50, 100, 40, 60), (0, 10, 0, 28), (0, 0, 0, 100)])
def test_an_interval_is_wilsons(part, whole, low, high):
    with bench_module("reader") as reader:
        found = reader._interval(part, whole)
    assert tuple(map(round, found)) == (low, high)
