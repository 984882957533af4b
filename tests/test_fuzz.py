"""A seeded sample of the fuzzer's cases; ``bench/fuzz.py`` plays as many as there is time for."""

import importlib.util
import sys
from pathlib import Path

import pytest

from holdfast.engine.steps import block

from .conversation import write

sound = block.compose
BENCH = Path(__file__).parents[1] / "bench"
CASES = 51
SEED = 20261121


@pytest.fixture(scope="module")
def fuzz():
    """``bench/fuzz.py`` as a module; it is a script and no part of the package."""
    path = list(sys.path)
    spec = importlib.util.spec_from_file_location("bench_fuzz", BENCH / "fuzz.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]
    sys.path[:] = path


@pytest.fixture(autouse=True)
def nobodys_configuration(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_the_hook_keeps_its_word_in_every_case(fuzz):
    """Hostile rules, squads, settings, states, transcripts and payloads; every fiftieth through the spawned hook."""
    tally = fuzz.play(SEED, range(CASES))
    assert tally.failures == []
    assert (tally.cases, tally.spawned) == (CASES, 2)
    assert tally.blocks > CASES


def test_a_case_is_the_same_again(fuzz, tmp_path):
    """So that a failure can be looked at: by its seed and number alone."""
    made = []
    for name in ("first", "second"):
        root = tmp_path / name
        (root / ".holdfast").mkdir(parents=True)
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
    monkeypatch.setattr(block, "compose", breakage)
    tally = fuzz.play(SEED, range(1, 6), keep=str(tmp_path / "kept"))
    assert tally.failures
    assert all(said in what for _, what in tally.failures)
    number = tally.failures[0][0]
    assert said in (tmp_path / "kept" / f"case-{number}" / "failure.txt").read_text(encoding="utf-8")
