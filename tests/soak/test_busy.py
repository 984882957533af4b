"""A busy machine, as ``bench/busy.py`` makes one."""

import sys

import pytest

from ..bench.bench_module import bench_module
from .scale import amount

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the system's pages are let go as on Linux"),
    pytest.mark.usefixtures("nobodys_configuration"),
]


@pytest.fixture(scope="module")
def busy():
    with bench_module("busy") as module:
        yield module


def test_a_busy_machine_changes_no_answer_and_a_stopped_holder_ends_no_prompt_late(busy, tmp_path):
    """Decision 67: prompts, tool calls and starts, one of ten with cold caches."""
    counts = amount((10, 11, 2), (300, 300, 50))
    measured = list(busy.measure(tmp_path, counts, amount(300, 10_000), amount(2, 8)))
    assert [figures.events for figures in measured] == [*counts, 1]
    assert [f"{figures.kind}: {fault}" for figures in measured for fault in figures.faults] == []


@pytest.mark.parametrize(
    ("among", "said"),
    [
        ({}, []),
        ({"out": "one\nnote"}, ["0: alone ['two'], among others ['note'], and 1 and 1 lines differ"]),
        ({"code": None}, ["0: UserPromptSubmit ended with None after 2.0 s"]),
        ({"err": "x"}, ["0: said on stderr: 'x'"]),
    ],
    ids=["the same", "something is missing", "ended by the client", "on stderr"],
)
def test_what_differs_is_told(busy, among, said):
    """And how long the slowest took."""
    given = {"door": "UserPromptSubmit", "is_hook": True, "code": 0, "out": "one\ntwo", "err": "", "seconds": 1.0}
    alone, other = busy.Answer(**given), busy.Answer(**{**given, "seconds": 2.0, **among})
    assert busy.compare("prompts", [alone], [other]) == busy.Figures("prompts", 1, 1.0, 2.0, said)
