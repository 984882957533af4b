"""Mistakes that only the whole project can tell."""

import os

import pytest

from holdfast.engine.mistakes import find_mistakes
from holdfast.ground.clock import Clock


@pytest.fixture
def found(workspace):
    """The findings in rule files given by name."""

    def find(**files):
        os.makedirs(workspace.path("rules"))
        for name, text in files.items():
            with open(workspace.path("rules", name.replace("_", "-")), "w") as file:
                file.write(text)
        return [str(finding) for finding in find_mistakes(workspace, Clock())]

    return find


NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def test_a_trigger_may_be_an_id_or_an_alias(found):
    """Another name is a mistake."""
    manifest = "AGENT_DEV_STATE=active\nAGENT_PM_STATE=active\nAGENT_BOSS_STATE=active\n"
    findings = found(manifest=manifest, agent_dev="DEV_RULE_0=a", agent_pm="PM_RULE_0=a", agent_boss="BOSS_RULE_0=a")
    assert [one for one in findings if "no agent boss" in one] == findings != []


def test_rules_that_always_hold_and_do_not_fit_are_told_with_figures(found):
    """Of the bracket that they are too many for."""
    rules = "\n".join(
        f"GLOBAL_RULE_{number}=Never forget to consider the reason number {number}." for number in range(60)
    )
    findings = [one for one in found(manifest="GLOBAL_STATE=active\n", **{"global": rules}) if "always holds" in one]
    assert len(findings) == 1
    assert "CRITICAL has 800; cut: GLOBAL" in findings[0]


def test_the_constitutions_own_ceiling_is_no_budget(found, workspace):
    """Its summary is cut by design where a project adds many articles."""
    with open(workspace.path("constitution.md"), "w") as file:
        file.writelines(f"### XX{n}. A title of several words (INFO)\n- MUST.\n" for n in NUMERALS)
    findings = found(manifest="GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Read before you write."})
    assert not [one for one in findings if "CONSTITUTION" in one]


def test_few_rules_fit(found):
    """No warning without a reason."""
    assert found(manifest="GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Read before you write."}) == []
