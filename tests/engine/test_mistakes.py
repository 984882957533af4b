"""Mistakes that only the whole project can tell."""

import os

import pytest

from limpet.engine.mistakes import find_mistakes
from limpet.ground.clock import Clock
from limpet.ground.storage.scaffold import missing_files

from ..conversation import BEGINNING, Conversation, write, write_rules
from ..memories import Memories
from ..places import private_path


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
    """Or an agent that a domain's name declares; another name is a mistake."""
    manifest = "AGENT_DEV_STATE=active\nAGENT_PM_STATE=active\nAGENT_BOSS_STATE=active\nAPI_AGENT_TRIGGER=chief\n"
    files = {"agent_dev": "DEV_RULE_0=a", "agent_pm": "PM_RULE_0=a", "agent_boss": "BOSS_RULE_0=a", "api": "a"}
    findings = found(manifest=manifest, **files)
    assert [one for one in findings if "unknown agent chief" in one] == findings != []


def test_an_agent_that_may_be_a_misspelt_one_is_told(found):
    """As a warning: the project may mean it."""
    (finding,) = found(manifest="AGENT_ARCHITEKT_STATE=active\n")
    assert finding.startswith("warning") and "did you mean architect?" in finding


def test_rules_that_always_hold_and_do_not_fit_are_told_with_figures(found):
    """Of the bracket that they are too many for."""
    rules = "\n".join(
        f"GLOBAL_RULE_{number}=Never forget to consider the reason number {number}." for number in range(60)
    )
    told = found(manifest="GLOBAL_STATE=active\n", **{"global": rules})
    findings = [one for one in told if "always-on rules need" in one]
    assert len(findings) == 1
    assert "CRITICAL allows 800; cut: GLOBAL" in findings[0]


def test_memories_that_do_not_fit_are_no_mistake_of_the_rules(workspace):
    """With work started and memories that open a session, what always holds still fits; nobody could mend the rest."""
    for path, text in missing_files(workspace.root).items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)
    write(private_path(workspace, "session.yaml"), "workflow: solo\ncurrent_agent: brief\nmode: planning\n")
    memories = Memories(workspace)
    memories.add_many({"type": "user_correction", "title": f"Never do {word * 9} by hand"} for word in NUMERALS)
    assert find_mistakes(workspace, Clock()) == []


def test_the_constitutions_own_ceiling_is_no_budget(found, workspace):
    """Its summary is cut by design where a project adds many articles."""
    with open(workspace.path("constitution.md"), "w") as file:
        file.writelines(f"### XX{n}. A title of several words (INFO)\n- MUST.\n" for n in NUMERALS)
    findings = found(manifest="GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Read before you write."})
    assert not [one for one in findings if "CONSTITUTION" in one]


def test_what_a_block_says_of_the_moment_is_not_what_always_holds(workspace):
    """Shipped rules fit, also where a mistake is noted or a squad is active."""
    assert find_mistakes(workspace, Clock()) == []
    write(workspace.path("rules", "manifest"), "QA_RECAL=x\n")
    write(os.path.join(workspace.root, "squads", "etl", ".synapse", "manifest"), "LOAD_RECALL=batch\n")
    write(os.path.join(workspace.root, "squads", "etl", ".synapse", "load"), "LOAD_RULE_0=Load in batches.\n")
    write(private_path(workspace, "session.yaml"), "squad: etl\n")
    assert [one.what.partition(" (")[0] for one in find_mistakes(workspace, Clock())] == ["unknown key 'QA_RECAL'"]


@pytest.fixture
def used(workspace):
    """A project whose manifest is an hour older than what is said in it."""
    write_rules(workspace, "QA_RECALL=test\nDB_RECALL=table\n", qa="QA_RULE_0=a\n", db="DB_RULE_0=b\n")
    os.utime(workspace.path("rules", "manifest"), (BEGINNING - 3600,) * 2)
    return workspace


def usage(workspace):
    """The findings about keywords' use."""
    return [one.what for one in find_mistakes(workspace, Clock()) if " fire" in one.what]


def test_keywords_that_fire_on_most_prompts_are_told_by_what_the_hook_recorded(used):
    """Also where the conversation held the rules already and nothing was sent."""
    talking = Conversation(used)
    for number in range(50):
        talking.prompt("another test" if number < 40 else "hello")
    assert usage(used) == ["QA fires too often: in 40 of the last 50 prompts (test in 40)"]


def test_the_doctors_trials_are_no_prompts(used):
    """Nobody typed them."""
    talking = Conversation(used, "limpet-doctor-1")
    for _ in range(60):
        talking.prompt("another test")
    assert usage(used) == []


def test_after_an_edit_of_the_manifest_counting_begins_anew(used):
    """What was said under other keywords says nothing of these."""
    talking = Conversation(used)
    for _ in range(60):
        talking.prompt("another test")
    os.utime(used.path("rules", "manifest"), (talking.now,) * 2)
    assert usage(used) == []
