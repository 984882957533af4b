"""The page of promises: every test that it names is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "promises.md"
ROWS = [line[2:].rpartition(": ")[::2] for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "- "]


def test_the_page_is_read_whole():
    assert len(ROWS) >= 90


@pytest.mark.parametrize(("promise", "test"), ROWS, ids=[promise for promise, _ in ROWS])
def test_a_promise_names_a_test_that_exists(promise, test):
    """By its file and its name; one that is not kept may have none, and one that departs names its decision."""
    assert "*Departs*" not in promise or re.search(r"\*Departs\*: .+ \(\d+\)$", promise)
    if test == "no test":
        assert "*Not yet*: " in promise
    else:
        path, name = test.strip("`").split("::")
        assert re.search(rf"^ *def {name}\(", (TESTS / path).read_text(encoding="utf-8"), re.MULTILINE)
