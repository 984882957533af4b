"""The page of promises: every test that it names is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (TESTS.parent / "docs" / "promises.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| promise ", "| **"))
]


@pytest.mark.parametrize(("promise", "holds", "test"), ROWS, ids=[row[0] for row in ROWS])
def test_a_promise_names_a_test_that_exists(promise, holds, test):
    """By its file and its name; one that is not kept may have none."""
    assert re.match(r"yes$|departs: .*\(\d+\)$|not yet: ", holds)
    if test == "no test":
        assert holds.startswith("not yet")
    else:
        path, name = test.strip("`").split("::")
        assert re.search(rf"^ *def {name}\(", (TESTS / path).read_text(encoding="utf-8"), re.MULTILINE)
