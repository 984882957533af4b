"""The trial's arms: both are told the same sentences, and those of the scripted person are among them."""

import sys
from pathlib import Path

import pytest

TRIAL = Path(__file__).parents[2] / "bench" / "trial"


@pytest.fixture
def trial(monkeypatch):
    """The trial's modules, which import one another by their plain names."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(TRIAL))
    import arm
    import prepare

    yield arm, prepare
    for name in set(sys.modules) - before:
        sys.modules.pop(name)


@pytest.mark.parametrize("repository", ["humanize", "boltons"])
@pytest.mark.parametrize(("wishes", "facts"), [(60, 40), (200, 400)])
def test_both_arms_are_told_the_same(trial, tmp_path, repository, wishes, facts):
    arm, prepare = trial
    arms = [arm.Arm(tmp_path, repository, kind, wishes, facts, 1) for kind in (arm.LIMPET, arm.NOTES)]
    one, other = map(prepare.sentences, arms)
    assert one == other
    assert len({words for _, words in one}) == len(one) == wishes + facts
    assert {wish.sentence for wish in arms[0].repository.wishes} <= {words for _, words in one}


@pytest.mark.parametrize("repository", ["humanize", "boltons"])
def test_another_seed_mixes_others(trial, tmp_path, repository):
    arm, prepare = trial
    mixed = [prepare.sentences(arm.Arm(tmp_path, repository, arm.LIMPET, 60, 40, seed)) for seed in (1, 2)]
    assert mixed[0] != mixed[1]
