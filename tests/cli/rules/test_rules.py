"""``limpet rules`` by its door."""

import json
import os

import pytest

from ... import conversation
from ...work.writing import put


@pytest.fixture
def project(workspace):
    """A project with the rules that are shipped, and a file of QA's."""
    conversation.write_over_shipped(workspace, "QA_STATE=active\n", qa="QA_RULE_0=Quote the result.\n")
    return workspace


def append(workspace, name, text):
    with open(workspace.path(*name.split("/")), "a") as file:
        file.write(text)


def test_list_names_every_domain_with_what_calls_it(project, run):
    """A line each, under a heading."""
    append(project, "rules/manifest", "QUIET_STATE=inactive\nQUIET_RECALL=hush\n")
    lines = run("rules", "list", "--all").stdout.splitlines()
    assert lines[0].split() == ["domain", "kind", "state", "rules", "file", "called", "by"]
    rows = {line.split()[0]: line.split(maxsplit=5)[1:] for line in lines[1:]}
    assert rows["GLOBAL"] == ["global", "active", "4", "shipped", "every prompt"]
    assert rows["COMMANDS"][-1] == "*brief *dev *review *plan *discuss *debug *explain"
    assert rows["AGENT_DEV"] == ["agent", "active", "6", "shipped", "agent dev"]
    assert rows["STORY"][:2] == ["keyword", "on-demand"]
    assert rows["QUIET"] == ["keyword", "inactive", "0", "-", "hush"]


def test_list_counts_the_shipped_rules_of_agents(project, run):
    """One line for all of them; a project's own are listed."""
    put(project, "rules/agent-qa-implementation", "AGENT_QA_IMPLEMENTATION_RULE_0=Look twice.\n")
    *rows, last = run("rules", "list").stdout.splitlines()
    assert [row.split()[0] for row in rows if "AGENT_" in row] == ["AGENT_QA_IMPLEMENTATION"]
    assert last == "and 12 domains with the rules of agents: limpet rules list --all"
    (window,) = (row for row in rows if row.startswith("CONTEXT"))
    assert window.endswith("how full the window is") and "every prompt" not in window


def test_show_counts_the_rules_and_prints_their_keys(project, run):
    """The name in any spelling; `edit` takes number and key."""
    put(project, "rules/qa", "QA_RULE_4=Four.\nQA_RULE_AUTH_1=One.\n")
    rows = ["0  QA_RULE_4       Four.", "1  QA_RULE_AUTH_1  One."]
    assert run("rules", "show", "qa").stdout.splitlines()[:2] == rows
    assert "agent dev" in run("rules", "show", "agent-dev").stdout


def test_show_counts_the_rules_of_a_file_without_keys(project, run):
    """A sentence with an equals sign is still a sentence."""
    put(project, "rules/qa", "# note\nPrefer a == b.\nTest first.\n")
    assert run("rules", "show", "QA").stdout.splitlines()[:2] == ["0  Prefer a == b.", "1  Test first."]


def test_show_commands_prints_what_each_star_command_says(project, run):
    """A group each."""
    lines = run("rules", "show", "commands").stdout.splitlines()
    assert lines[lines.index("*brief") + 1].startswith("  0  Answer in at most five lines")
    assert "*explain" in lines


def test_show_constitution_prints_every_article_and_marks_the_projects_own(project, run):
    """Sixteen shipped ones; what the project adds has a plus."""
    added = "### I. Agent governance (BLOCK)\n- MUST ask Ana.\n\n### XVII. Order (INFO)\n- MUST sort.\n"
    put(project, "constitution.md", added)
    lines = run("rules", "show", "constitution").stdout.splitlines()
    headings = [line for line in lines if not line.startswith((" ", "+"))]
    assert len(headings) == 17
    assert headings[0] == "I. Agent governance (BLOCK)"
    assert headings[-1] == "XVII. Order (INFO)"
    assert [line for line in lines if line.startswith("  +")] == ["  + MUST ask Ana.", "  + MUST sort."]


def test_show_constitution_includes_articles_of_the_rules_file(project, run):
    """SYNAPSE's form, marked as the project's."""
    append(project, "rules/manifest", "CONSTITUTION_STATE=active\n")
    text = "CONSTITUTION_RULE_ART1_0=CLI First\nCONSTITUTION_RULE_ART1_1=MUST have a CLI.\n"
    put(project, "rules/constitution", text)
    article = json.loads(run("rules", "show", "CONSTITUTION", "--json").stdout)[-1]
    assert article["title"] == "CLI First"
    assert article["duties"] == [{"text": "MUST have a CLI.", "project": True}]


def test_show_takes_secrets_out(project, run):
    """What is printed may be read by an agent."""
    token = f"ghp_{'a' * 36}"
    put(project, "rules/qa", f"QA_RULE_0=Use {token}.\n")
    append(project, "rules/manifest", f"QA_RECALL_OWN={token}\nQA_HINTS_OWN={token}, x\nQA_DOUBTS_OWN={token}\n")
    shown = run("rules", "show", "qa").stdout
    assert ", x; doubts: " in " ".join(shown.split()) and "ghp_" not in shown


def test_match_and_show_name_the_hints(project, run):
    """Those that call a domain together; all of its lines, divided."""
    put(project, "rules/pay", "PAY_RULE_0=Round half to even.\n")
    append(project, "rules/manifest", "PAY_HINTS_A=price\nPAY_HINTS_B=customer, buyer\nPAY_DOUBTS=font\n")
    lines = [line.split(maxsplit=2) for line in run("rules", "match", "the price for a buyer").stdout.splitlines()]
    assert ["fires", "PAY", "matched: price, buyer"] in lines
    assert "PAY" not in run("rules", "match", "the font of the price for a buyer").stdout
    shown = run("rules", "show", "pay").stdout.splitlines()
    assert shown[-1] == "called by hints: price | customer, buyer; doubts: font"


def test_match_for_programs(project, run):
    """Keywords as a list."""
    found = json.loads(run("rules", "match", "a flaky build", "--json").stdout)
    domain = next(one for one in found if one["name"] == "QA")
    fired = {"fires": True, "why": "matched: flaky", "keywords": ["flaky"]}
    assert domain == {"name": "QA", "kind": "keyword", **fired, "squad": "", "mode": ""}


def test_check_prints_a_line_for_each_mistake_and_fails_on_errors(project, run):
    """File, line, what, mend; then the sum."""
    append(project, "rules/qa", "QA_RULE_99=\nlost words\n")
    done = run("rules", "check")
    assert done.returncode == 1
    assert "error: .limpet/rules/qa:" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 error, ")


def test_check_passes_with_warnings(project, run):
    """They are printed all the same."""
    append(project, "rules/qa", "QA_RULE_99=\n")
    done = run("rules", "check", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert (data["errors"], data["findings"][0]["severity"]) == (0, "warning")
    assert data["findings"][0]["where"].startswith(".limpet/rules/qa:")


def test_check_of_sound_rules_says_so(project, run):
    """One line."""
    put(project, "rules/global", "GLOBAL_RULE_0=Read before you write.\n")
    done = run("rules", "check")
    assert (done.returncode, done.stdout) == (0, "Rules OK\n")


def found_squad(workspace, extends, manifest="QA_RECALL=test\n"):
    folder = os.path.join(workspace.root, "squads", "etl")
    conversation.write(os.path.join(folder, "squad.yaml"), f"extends: {extends}\n")
    conversation.write(os.path.join(folder, ".limpet", "rules", "manifest"), manifest)
    conversation.write(os.path.join(folder, ".limpet", "rules", "qa"), "QA_RULE_0=The squad's.\n")


def test_show_names_the_file_of_a_squads_domain(project, run):
    """From the project's root."""
    found_squad(project, "extend")
    third = run("rules", "show", "etl-qa").stdout.splitlines()[2]
    assert third == "ETL_QA (squad, active), squads/etl/.limpet/rules/qa"


def test_check_looks_into_squads(project, run):
    """Their manifests and domain files, with their places."""
    found_squad(project, "sometimes", "QA_RECALL=test\nQA_STATE=perhaps\n")
    done = run("rules", "check")
    assert done.returncode == 1
    assert "error: squads/etl/squad.yaml:1: unknown mode of extends: 'sometimes'" in done.stdout
    assert "error: squads/etl/.limpet/rules/manifest:2: invalid value QA_STATE=perhaps" in done.stdout
