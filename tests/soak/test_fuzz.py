"""Cases of the fuzzer; ``bench/fuzz.py`` plays as many as there is time for."""

import sys

import pytest

from limpet.engine.steps import block

from ..bench.bench_module import bench_module
from ..conversation import write
from .scale import amount

pytestmark = pytest.mark.usefixtures("nobodys_configuration")
sound = block.compose_block
# One of the sample is the fiftieth, which the spawned hook answers.
CASES = amount(range(45, 57), range(2000))
SEED = 20261121


@pytest.fixture(scope="module")
def fuzz():
    """``bench/fuzz.py`` as a module; it is a script and no part of the package."""
    with bench_module("fuzz") as module:
        yield module


def test_the_hook_keeps_its_word_in_every_case(fuzz):
    """Hostile rules, squads, settings, states, transcripts and payloads; every fiftieth through the spawned hook."""
    tally = fuzz.play(SEED, CASES)
    assert tally.failures == []
    assert (tally.cases, tally.spawned) == (len(CASES), amount(1, 40))
    assert tally.blocks > len(CASES)


def test_a_case_is_the_same_again(fuzz, tmp_path):
    """So that a failure can be looked at: by its seed and number alone."""
    made = []
    for name in ("first", "second"):
        root = tmp_path / name
        (root / ".limpet").mkdir(parents=True)
        case = fuzz.make_case(fuzz.Random("7 4711"), str(root))
        made.append((case.kinds, [(step.name, str(step.payload).replace(str(root), "")) for step in case.steps]))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("breakage", "said"),
    [
        (lambda context: 1 / 0, "a failure block"),
        (lambda context: print("oh", file=sys.stderr) or sound(context), "said on stderr"),
        (lambda context: write(context.workspace.path("rules", "global"), "gone") or sound(context), "changed"),
    ],
    ids=["raises", "speaks", "writes"],
)
def test_what_breaks_the_word_is_found_and_kept(fuzz, monkeypatch, tmp_path, breakage, said):
    """The fuzzer can fail, and then says what and where."""
    monkeypatch.setattr(block, "compose_block", breakage)
    tally = fuzz.play(SEED, range(1, 6), keep=str(tmp_path / "kept"))
    assert tally.failures
    assert all(said in what for _, what in tally.failures)
    number = tally.failures[0][0]
    assert said in (tmp_path / "kept" / f"case-{number}" / "failure.txt").read_text(encoding="utf-8")
