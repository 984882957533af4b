"""A sample of ``bench/decay.py``: a year in which what is used stays, and what is only shown goes like the rest."""

from limpet.memory.files import store

from .bench_module import bench_module


def test_after_a_year_what_is_used_is_there_and_nothing_else_is_hot_or_warm():
    """Decision 20: being shown by the hook is no use."""
    with bench_module("decay") as decay:
        year = decay.simulate(entries=120, sessions=150, seed=3)
        assert year.faults == ()
        assert decay.draw(year).count("<polygon") == 12


def test_the_check_fails_where_being_shown_counts_as_use(monkeypatch):
    with bench_module("decay") as decay:
        monkeypatch.setattr(store, "SHOWN", "nothing")
        assert any("(shown)" in fault for fault in decay.simulate(entries=60, sessions=150, seed=3).faults)
