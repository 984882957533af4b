"""What was kept of a repository's status, and how long it is true."""

import pytest

from holdfast.agents.project_status import Kept, ProjectStatus, read_kept, still_holds

MARK = [[1, 2, 3], None]
STATUS = ProjectStatus("main", ("a.py",), 1, ("Add a",), "")
KEPT = Kept(STATUS, MARK, 100.0)


def test_it_survives_being_kept():
    """As JSON has it, with lists for tuples."""
    data = {"status": {**STATUS.__dict__, "files": ["a.py"], "commits": ["Add a"]}, "mark": MARK, "taken": 100.0}
    assert read_kept(data) == KEPT


@pytest.mark.parametrize("data", [None, [], {}, {"status": 1}, {"status": {"branch": "main"}, "mark": []}])
def test_what_is_not_ours_counts_as_nothing(data):
    """A spoilt cache costs a question to git."""
    assert read_kept(data) is None


@pytest.mark.parametrize(
    ("kept", "mark", "now", "expected"),
    [
        (None, MARK, 100.0, (False, False)),
        (KEPT, MARK, 114.0, (True, True)),
        (KEPT, MARK, 115.0, (True, False)),
        (KEPT, MARK, 99.0, (True, False)),
        (KEPT, [[9, 2, 3], None], 101.0, (False, False)),
        (KEPT.replace(status=STATUS.replace(changed=None)), MARK, 101.0, (True, False)),
        (KEPT.replace(status=STATUS.replace(commits=None)), MARK, 101.0, (False, True)),
    ],
)
def test_it_holds(kept, mark, now, expected):
    """Commits as long as git's folder is the same, files for 15 seconds, and never what git did not say."""
    assert still_holds(kept, mark, now) == expected
