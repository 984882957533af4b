"""Mistakes that a person would not see by looking: `rules check` names each with its place and its mend."""

import json

import pytest

from limpet.engine.commands.star import ACTING
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import workspace_at
from limpet.rules.format.domain import RESERVED, YES
from limpet.rules.layout import LIMPET

from ...conftest import trusted
from ...conversation import write, write_rules

MISTAKES = [
    ("manifest", "A_RECALL=word # comment", "error", "the keyword is 'word # comment'", "a line of its own"),
    ("manifest", "A_RECALL=one; two", "warning", "'one; two' is one keyword", "separate keywords by commas"),
    ("manifest", "A_EXCLUDE=tests", "warning", "keyword 'test' never activates A: A_EXCLUDE has 'tests'", "longer"),
    ("manifest", "GLOBAL_EXCLUDE=test", "warning", "'test' never activates A: GLOBAL_EXCLUDE has 'test'", "longer"),
    ("manifest", "GLOBAL_RECALL=test", "warning", "GLOBAL_RECALL has no effect", "remove the line"),
    ("manifest", "GLOBAL_AGENT_TRIGGER=dev", "warning", "GLOBAL_AGENT_TRIGGER has no effect", "remove the line"),
    ("manifest", "CONTEXT_EXCLUDE=test", "warning", "CONTEXT_EXCLUDE has no effect", "remove the line"),
    ("manifest", "A_ALWAYS_ON=true\nA_EXCLUDE=x", "warning", "A_EXCLUDE has no effect", "another domain"),
    ("manifest", "A_RULE_1=Do it.", "error", "A_RULE_1 is a rule; rules in the manifest are ignored", "move it to a"),
    ("manifest", "a_STATE=active", "error", "a is another spelling of A in line 1", "write A in every key"),
    ("manifest", "B-C_RECALL=x", "warning", "commands cannot address B-C: they read it as B_C", "write B_C"),
    ("manifest", "B C_RECALL=x", "warning", "commands cannot address B C: they read it as B_C", "write B_C"),
    ("a", "A_RECALL=test", "error", "'A_RECALL' is not a rule key", "move it to the manifest"),
    ("a", "A_RULE_1=The key is ghp_" + "a1B2" * 9, "error", "looks like a secret", "where the secret is stored"),
    ("context", "FRESH_RULES=perhaps", "error", "invalid value FRESH_RULES=perhaps", "true or false"),
    (
        "context",
        "DEPLETD_RULE_0=x",
        "warning",
        "no bracket, so it applies in every bracket (did you mean DEPLETED?)",
        "FRESH, ",
    ),
    ("context", "CONTEXT_RULE_FESH_0=x", "warning", "did you mean FRESH?", "FRESH, MODERATE"),
    ("commands", "AGENT_RULE_0=x", "error", "*agent is a built-in command: these lines are never sent", "another name"),
    ("commands", "2FA_RULE_0=x", "error", "*2fa is not a valid command name", "another name"),
    ("a", "A_RULE_0_PRIORITY=CRITICAL", "warning", "A_RULE_0_PRIORITY is no rule", "remove the line"),
    ("commands", "[*two words]", "error", "*two words is not a valid command name", "another name"),
]
SOUND = {
    "manifest": "A_RECALL=test\nGLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nCOMMANDS_STATE=active\n",
    "a": "A_RULE_0=Test.\n",
    "global": "GLOBAL_RULE_0=Read.\n",
    "context": "FRESH_RULE_0=x\nCONTEXT_RULE_0=y\nCONTEXT_RULE_CRITICAL_0=z\nFRESH_RULES=yes\n",
    "commands": "BRIEF_RULE_0=Short.\nCOMMANDS_RULE_PLAN_0=Plan.\n[*ship-it]\nTag.\n",
}


def write_all(workspace, **files):
    write_rules(workspace, files.pop("manifest"), **files)


@pytest.fixture
def check(run):
    def run_check():
        return json.loads(run("rules", "check", "--json").stdout)["findings"]

    return run_check


def test_sound_files_have_no_finding(workspace, check):
    """In any spelling of rules, brackets and commands."""
    write_all(workspace, **SOUND)
    assert check() == []


def test_each_mistake_is_named_with_its_place_and_its_mend(tmp_path, run):
    """A project for each, with nothing else wrong."""
    for number, (name, line, severity, what, mend) in enumerate(MISTAKES):
        workspace = workspace_at(str(tmp_path / f"p{number}"))
        write_all(workspace, **SOUND | {name: SOUND[name] + line + "\n"})
        trusted(workspace.root)
        found = json.loads(run("rules", "check", "--json", cwd=workspace.root).stdout)["findings"]
        meant = [one for one in found if what in one["what"]]
        assert [one["severity"] for one in meant] == [severity], (line, found)
        assert mend in meant[0]["mend"]
        assert meant[0]["file"] == f".limpet/rules/{name}"
        assert meant[0]["line"] in (1, SOUND[name].count("\n") + line.count("\n") + 1)


@pytest.mark.parametrize(
    ("text", "severity", "line", "what", "mend"),
    [
        ("---\nmission: [\n---\n", "error", 3, ", so the packaged agent is used", "correct it there"),
        ("", "error", 0, "Agent has no mission, so the packaged agent is used", "Write in its frontmatter what"),
        ("---\nmission: m\nmodle: fast\n---\n", "warning", 3, "Unknown key: modle", "correct it there"),
    ],
)
def test_a_mistake_in_an_agents_file_is_one_finding(workspace, check, text, severity, line, what, mend):
    """With its line."""
    write_all(workspace, **SOUND)
    write(workspace.path("agents", "dev.md"), text)
    write(workspace.path("agents", "scribe.md"), "---\nmission: m\n---\n")
    [found] = check()
    assert (found["file"], found["line"], found["severity"]) == (".limpet/agents/dev.md", line, severity)
    assert what in found["what"] and found["mend"].startswith(mend)


def test_an_agent_with_a_file_may_trigger_a_domain(workspace, check):
    """As one that a domain declares may."""
    write_all(workspace, **SOUND | {"manifest": SOUND["manifest"] + "A_AGENT_TRIGGER=scribe\n"})
    assert [one["what"] for one in check() if "scribe" in one["what"]]
    write(workspace.path("agents", "scribe.md"), "---\nmission: m\n---\n")
    assert check() == []


def test_a_rule_of_no_command_is_an_error(workspace, check):
    write_all(workspace, **SOUND | {"commands": f"COMMANDS_RULE_0=x\n{SOUND['commands']}"})
    [found] = check()
    assert (found["severity"], found["line"]) == ("error", 1)
    assert found["what"] == "COMMANDS_RULE_0 names no command, so it is never sent"


def test_the_rules_of_a_second_agent_of_one_id_are_told_of(workspace, check, run):
    """They never come, until it is an agent of its own; the first one's come."""
    names = ("ARCHITECT", "DATA_ENGINEER")
    files = {f"agent-{name.lower().replace('_', '-')}": f"AGENT_{name}_RULE_0=As {name}.\n" for name in names}
    write_all(workspace, manifest="".join(f"AGENT_{name}_STATE=active\n" for name in names), **files)
    [found] = check()
    assert (found["severity"], found["file"], found["line"]) == ("warning", ".limpet/rules/manifest", 2)
    assert found["what"] == (
        "AGENT_DATA_ENGINEER never comes: data-engineer is architect here, whose rules are AGENT_ARCHITECT"
    )
    way = found["mend"].rpartition("limpet ")[2].split()
    assert run(*way).returncode == 0 and check() == []
    run("work", "agent", "activate", "data-engineer")
    text = run("why", "--text", "--for", "hello").stdout
    assert "As DATA_ENGINEER." in text and "As ARCHITECT." not in text


def test_a_manifest_of_names_and_files_is_read(workspace, check, run):
    """As some of SYNAPSE's are; what has no file among the rules is named, and a domain can be removed."""
    text = "# n=p\nglobal=.synapse/global\nagent-dev=.synapse/agent-dev\nteam=.team/TEAM.md\n"
    write_all(workspace, manifest=text, **{"global": "GLOBAL_RULE_0=Read.\n", "agent-dev": "AGENT_DEV_RULE_0=Own.\n"})
    found = check()
    assert {(one["line"], one["what"].partition(" (")[0]) for one in found} == {
        (4, "domain TEAM has no file"),
        (4, "TEAM never loads: no keyword calls it, it has no trigger, and is not always on"),
    }
    run("work", "agent", "activate", "dev")
    sent = run("why", "--text", "--for", "hello").stdout
    assert "Read." in sent and "Own." in sent
    assert run("rules", "remove", "agent-dev", "--yes").returncode == 0
    assert read_text(workspace.path("rules", "manifest")).startswith(text.replace("agent-dev=.synapse/agent-dev\n", ""))


def test_a_squads_manifest_is_told_what_only_the_projects_can(workspace, check):
    """ALWAYS_ON and DEVMODE count for nothing there; a namesake of what always holds has it of its own accord."""
    write_all(workspace, **SOUND)
    squad = f"{workspace.root}/squads/etl/.limpet/rules"
    write(f"{squad}/manifest", "LOAD_ALWAYS_ON=true\nGLOBAL_ALWAYS_ON=true\nDEVMODE=true\n")
    write(f"{squad}/load", "LOAD_RULE_0=x\n")
    write(f"{squad}/global", "GLOBAL_RULE_0=x\n")
    told = [(one["line"], one["what"].partition(":")[0]) for one in check()]
    assert told == [(1, "LOAD_ALWAYS_ON has no effect in a squad"), (3, "DEVMODE has no effect in a squad")]


def test_the_nearest_file_is_one_that_nobody_claims(workspace, check):
    """A domain without a file is not sent to another's."""
    write_all(workspace, **SOUND | {"manifest": SOUND["manifest"] + "GLOBALS_RECALL=x\n"})
    assert [one["what"] for one in check()] == ["domain GLOBALS has no file"]


def test_the_names_that_act_are_those_that_the_hook_acts_on():
    """`rules check` knows them without the engine."""
    assert set(RESERVED) == {*ACTING, LIMPET.command, YES}
