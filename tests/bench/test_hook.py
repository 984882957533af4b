"""``bench/hook.py``: the table that it writes, and what README says of it."""

import re

import pytest

from .bench_module import BENCH, bench_module

ROOT = BENCH.parent


@pytest.fixture
def hook(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    with bench_module("hook") as module:
        yield module


def test_it_measures_the_floor_and_writes_the_table_between_its_marks(hook, tmp_path, monkeypatch):
    """What stands around it stays."""
    page = tmp_path / "README.md"
    page.write_text(f"before\n{hook.BEGIN}old\n{hook.END}after\n", encoding="utf-8")
    monkeypatch.setattr(hook, "PAGE", str(page))
    floor = hook.Case(hook.FLOOR, ["python"], ".", times=[8.0, 8.0], instructions=20_000_000)
    prompt = hook.Case("prompt", ["python"], ".", 2.8, times=[16.0, 20.0, 18.0], instructions=50_000_000, memory=11)
    hook._write(hook.render([floor, prompt]))
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{hook.BEGIN}| |") and text.endswith(f"{hook.END}after\n")
    assert "| prompt | 18.0 | 2.25 | 50.0 | 2.5 | 11 | 2.8 |" in text
    assert "old" not in text


def test_what_the_front_page_says_of_a_prompt_is_what_was_measured(hook):
    """Its milliseconds hold the median of the prompts in the table, in a project of 100 domains and with 10,000
    memories."""
    said = re.search(r"A prompt waits (\d+) to (\d+) ms", (ROOT / "README.md").read_text(encoding="utf-8"))
    table = (BENCH / "README.md").read_text(encoding="utf-8").split(hook.BEGIN)[1].split(hook.END)[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| prompt, ")]
    measured = {row[0].removeprefix("prompt, "): round(float(row[1])) for row in rows}
    least, most = measured["100 domains"], measured["10,000 memories, some come"]
    assert int(said[1]) <= least <= most <= int(said[2])
