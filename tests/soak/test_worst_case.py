"""The worst cases of ``bench/worst_case.py``."""

import sys

import pytest

from ..bench.bench_module import bench_module
from .scale import amount

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX files"),
    pytest.mark.usefixtures("nobodys_configuration"),
]
SAMPLE = ("stalled pipes for all files", "50 MB typed: stars")


@pytest.fixture(scope="module")
def worst_case(template):
    """The program, with a template that is made once."""
    with bench_module("worst_case") as module:
        module.make_template = lambda folder: template
        yield module


def test_the_hook_ends_in_time(worst_case, tmp_path):
    """With exit code 0, and nothing on stderr."""
    sample = [case for case in worst_case.CASES if case.name in SAMPLE]
    cases = amount(sample, worst_case.CASES)
    measured = list(worst_case.measure(tmp_path, cases))
    assert [figures.case for figures in measured] == [case.name for case in cases] and len(sample) == len(SAMPLE)
    assert [fault for figures in measured for fault in figures.faults] == []


@pytest.mark.parametrize(
    "code", ["import sys; sys.exit(2)", "import sys; sys.stderr.write('x')", "import time; time.sleep(60)"]
)
def test_a_broken_promise_is_found(worst_case, monkeypatch, tmp_path, code):
    """An exit code, a word on stderr, and a hook that is late."""
    monkeypatch.setattr(worst_case, "PYTHON", [sys.executable, "-c", code])
    monkeypatch.setitem(worst_case.TIMEOUTS, "UserPromptSubmit", 1)
    monkeypatch.setattr(worst_case, "EVENTS", {"UserPromptSubmit": {"prompt": "x"}})
    (figures,) = worst_case.measure(tmp_path, [case for case in worst_case.CASES if "payload of nothing" in case.name])
    assert len(figures.faults) == 1
