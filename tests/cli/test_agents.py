"""``limpet work agent new`` by its door, and that what it makes works at once."""

import json
import os
import re

import pytest

from limpet.ground.storage.files import read_text

from ..conversation import write, write_rules
from ..roles.test_agents import SUB_AGENT
from ..tool_calls import Client

FILE = ".limpet/agents/marketing-lead.md"


def read(workspace, name="marketing-lead"):
    return read_text(workspace.path("agents", f"{name}.md"))


def shown(run, name):
    return json.loads(run("work", "agent", "show", name, "--json").stdout)


def test_a_skeleton_is_written_to_be_filled_in(workspace, run):
    """With the one key that is needed, and remarks on the others."""
    done = run("work", "agent", "new", "Marketing_Lead")
    assert done.stdout == f"Created {FILE}. Edit it, then run: limpet work agent activate marketing-lead\n"
    text = read(workspace)
    assert 'mission: "Say here, in a line, what this agent is for"\n' in text and "# checklist:\n" in text
    assert (shown(run, "marketing-lead")["title"], shown(run, "marketing-lead")["problems"]) == ("Marketing lead", [])


def test_title_and_mission_are_taken_from_the_command_line(run):
    """Whatever characters they have."""
    run("work", "agent", "new", "lead", "--title", 'The "lead": #1', "--mission", "Plan: write,\n- and measure # all")
    found = shown(run, "lead")
    assert (found["title"], found["mission"]) == ('The "lead": #1', "Plan: write, - and measure # all")
    assert found["problems"] == []


def test_a_sub_agent_is_taken_over_with_its_text(workspace, run):
    """The model gets what of the text has a place, and people all of it, which is said in a line."""
    write(os.path.join(workspace.root, ".claude", "agents", "code-reviewer.md"), SUB_AGENT)
    done = run(
        "work", "agent", "new", "reviewer", "--from", ".claude/agents/code-reviewer.md", "--mission", "Looks twice"
    )
    assert done.stdout.splitlines()[1:] == [
        "The text of .claude/agents/code-reviewer.md is kept below for people. The model gets what of it stands in"
        " steps, checklist and rules: limpet work agent show reviewer"
    ]
    found = shown(run, "reviewer")
    assert (found["mission"], found["model"], found["aliases"]) == ("Looks twice", "strong", ["code-reviewer"])
    assert read(workspace, "reviewer").endswith("---\n\nYou are a reviewer.\n")


def test_one_taken_over_under_another_name_works_by_what_its_text_says(workspace, run):
    """Active or as a subagent of its own type; for the guard too, which goes by whose call it is, and lists offer it no
    more."""
    path = os.path.join(workspace.root, ".claude", "agents", "code-reviewer.md")
    write(path, f"{SUB_AGENT}1. Run git diff.\n\nChecklist:\n- No secrets\n")
    run("work", "agent", "new", "reviewer", "--from", ".claude/agents/code-reviewer.md")
    client = Client(workspace)
    begun = client.prompt("*agent reviewer").block["agent"]
    assert (begun["name"], begun["checklist"]) == ("reviewer", ["No secrets"])
    assert (begun["steps"], begun["rules"]) == (["Run git diff."], ["You are a reviewer."])
    told = client.send("SubagentStart", agent_type="code-reviewer", agent_id="a1").block["agent"]
    assert (told["name"], told["checklist"]) == ("reviewer", ["No secrets"])
    client.prompt("*agent devops")
    assert client.bash("git push") == ("", "")
    client.more = {"agent_type": "code-reviewer", "agent_id": "a1"}
    answer, reason = client.bash("git push")
    assert (answer, reason[:22]) == ("deny", "reviewer may not push.")
    assert "code-reviewer.md" not in run("work", "agent", "show").stdout
    assert "active agent: reviewer" in run("work", "agent", "activate", "code-reviewer").stdout


def test_an_alias_takes_no_packaged_agents_place(workspace, run):
    """Nor that of another file."""
    for name, aliases in (("scribe", "[dev, writer]"), ("writer", "[typist]")):
        write(workspace.path("agents", f"{name}.md"), f"---\nmission: Ours\naliases: {aliases}\n---\n")
    client = Client(workspace)
    found = {name: client.prompt(f"*agent {name}", session_id=name) for name in ("dev", "writer", "typist")}
    assert [each.block["agent"]["name"] for each in found.values()] == ["dev", "writer", "writer"]


def test_what_of_the_file_says_nothing_here_is_named(workspace, run):
    """On stderr, and as data."""
    write(os.path.join(workspace.root, "x.md"), "---\ndescription: d\nhooks: {}\n---\n")
    done = run("work", "agent", "new", "x", "--from", "x.md", "--json")
    assert json.loads(done.stdout)["problems"] == ["x.md: Unknown keys: hooks"]
    assert done.stderr == "limpet: x.md: Unknown keys: hooks\n"


TEAM = {
    ".claude/agents/dev.md": "---\ndescription: Ours\n---\n- Tests first\n",
    ".claude/agents/crypto/Risk Analyst.md": "---\ndescription: Risks\n---\n- Never trade\n",
    ".claude/agents/crypto/dev.md": "---\ndescription: Theirs\n---\n",
    ".claude/agents/README.md": "# About them\n\nText.\n",
    ".claude/agents/empty.md": "",
    ".github/agents/api.agent.md": "---\ndescription: APIs\ntools: [read]\n---\n",
    "plugins/web/agents/css.md": "---\ndescription: Styles\n---\n",
    "plugins/web/commands/draw.md": "---\ndescription: No agent\n---\n",
}


@pytest.fixture
def team(workspace):
    for name, text in TEAM.items():
        write(os.path.join(workspace.root, name), text)
    return workspace


def test_all_agents_of_folders_are_taken_over_at_once(team, run):
    """Under their files' names; who has a packaged one's is told, and the files keep their bytes."""
    done = run("work", "agent", "new", "--from", ".claude/agents", "--from", "plugins", ".github/agents/api.agent.md")
    assert done.stdout.splitlines() == [
        "Created 5 agents in .limpet/agents.",
        *("  own-dev", "  risk-analyst", "  crypto-dev", "  css", "  api"),
        "dev is a packaged agent, so this one is own-dev: limpet work agent activate own-dev",
    ], done.stdout + done.stderr
    assert done.stderr == "limpet: .claude/agents/empty.md: No such file, or an empty one\n"
    assert shown(run, "risk-analyst")["rules"] == ["Never trade"] and shown(run, "api")["tools"] == ["read"]
    client = Client(team)
    assert client.prompt("*agent own-dev").block["agent"]["rules"] == ["Tests first"]
    assert shown(run, "dev")["mission"].startswith("Build what the story says")
    assert {name: read_text(os.path.join(team.root, name)) for name in TEAM} == TEAM
    again = run("work", "agent", "new", "--from", ".claude/agents", "--json")
    assert (again.returncode, json.loads(again.stdout)["agents"]) == (1, [])
    assert [".claude/agents/dev.md", "The project has this agent already"] in json.loads(again.stdout)["left"]


def test_agents_of_many_kinds_are_offered_by_their_folders(team, run):
    """Until they are the project's."""
    offered = run("work", "agent", "show").stdout.partition("To make agents of these subagents, run:\n")[2]
    places = (".claude/agents/crypto", ".claude/agents", ".github/agents", "plugins/web/agents")
    assert sorted(offered.splitlines()) == sorted(f"  limpet work agent new --from {place}" for place in places)
    run("work", "agent", "new", "--from", ".claude/agents", "plugins", ".github/agents")
    offered = run("work", "agent", "show").stdout.partition("To make agents of these subagents, run:\n")[2]
    assert offered.splitlines() == ["  limpet work agent new empty --from .claude/agents/empty.md"]


@pytest.mark.parametrize("arguments", [["a", "--from", "."], ["a", "b"], [], ["--from", ".", "--title", "T"]])
def test_what_does_not_go_together_is_refused(team, run, arguments):
    done = run("work", "agent", "new", *arguments)
    assert done.returncode == 2 and "ID" in done.stderr and not os.path.isdir(team.path("agents"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x", "--from", "gone.md"], "No such file, or an empty one: gone.md"),
        (["x", "--from", "empty.md"], "No such file, or an empty one: empty.md"),
        (["x", "--from", "mute.md"], "Agent has no mission: mute.md"),
        (["dev", "--mission", "Ours"], "The agent is packaged: dev. Copy it without options, then edit the file"),
        (["old"], "The project has this agent already: old. Run: limpet work agent show old"),
        (["a b"], "Not an agent's id: a b. Use letters, digits and dashes, such as marketing-lead."),
        (["../x"], "Not an agent's id: ../x."),
        (["readme"], "Not an agent's id: readme."),
    ],
)
def test_what_cannot_be_is_refused_with_nothing_written(workspace, run, arguments, said):
    """And the error says what to do."""
    write(workspace.path("agents", "old.md"), "---\nmission: m\n---\n")
    write(os.path.join(workspace.root, "empty.md"), "\n")
    write(os.path.join(workspace.root, "mute.md"), "---\nchecklist: [a]\n---\n")
    done = run("work", "agent", "new", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"limpet: {said}")
    assert os.listdir(workspace.path("agents")) == ["old.md"]


@pytest.mark.parametrize(("name", "before"), [("pm", "detail"), ("data-engineer", "architect")])
def test_an_alias_may_become_an_agent_of_its_own(run, name, before):
    """Which is said, and the packaged agent stays what it is (seed finding W19)."""
    done = run("work", "agent", "new", name, "--mission", "Ours")
    assert f"{name} was another name of {before}; it is an agent of its own now." in done.stdout
    assert shown(run, name)["mission"] == "Ours"
    assert (shown(run, before)["mission"] != "Ours", name in shown(run, before)["aliases"]) == (True, False)


def test_a_secret_is_not_written(workspace, run):
    """Also not from the command line."""
    run("work", "agent", "new", "x", "--mission", "Use ghp_" + "a1B2" * 9)
    assert "ghp_" not in read(workspace, "x")


OWN = """---
title: Marketing lead
mission: Plan and write campaigns
checklist: [Every claim has a source.]
authority: [NEVER publish - delegate to @devops]
---
"""


def test_a_packaged_agent_is_shown_with_the_rules_of_the_projects_domain(workspace, run):
    """Those are what holds; the packaged ones hold where the project has them."""
    write_rules(workspace, "AGENT_DEV_STATE=active\n", agent_dev="DEV_RULE_AUTH_0=NEVER push.\nDEV_RULE_0=Be brief.\n")
    lines = run("work", "agent", "show", "@DEV").stdout.splitlines()
    assert lines[:2] == ["Dev dev", "Build what the story says, as the architecture says, with tests"]
    shown = [" ".join(line.split()) for line in lines]
    assert {"rules in .limpet/rules/agent-dev", "file framework/agents/dev.md", "model balanced"} <= set(shown)
    place = shown.index("Authority") + 1
    assert shown[place : place + 4] == ["NEVER push.", "", "Rules", "- Be brief."]
    assert "1. " in shown[shown.index("Steps") + 1]


def test_an_own_agent_is_shown_with_what_its_file_says(workspace, run):
    """And with the rules of its domain, each text once."""
    write(workspace.path("agents", "marketing-lead.md"), OWN)
    rules = "LEAD_RULE_AUTH_0=NEVER publish - delegate to @devops\nLEAD_RULE_0=One idea a page.\n"
    write_rules(workspace, "AGENT_MARKETING_LEAD_STATE=active\n", agent_marketing_lead=rules)
    found = json.loads(run("work", "agent", "show", "marketing", "--json").stdout)
    assert (found["id"], found["title"], found["overrides"]) == ("marketing-lead", "Marketing lead", False)
    assert found["authority"] == ["NEVER publish - delegate to @devops"]
    assert (found["rules"], found["problems"]) == (["One idea a page."], [])


def test_an_agent_in_place_of_a_packaged_one_says_so(workspace, run):
    """With its file."""
    write(workspace.path("agents", "dev.md"), OWN)
    assert ".limpet/agents/dev.md (in place of the packaged one)" in run("work", "agent", "show", "dev").stdout


def test_all_of_it_comes_as_data(run):
    """Commands and greetings too, and whether it is active."""
    run("work", "agent", "activate", "qa")
    found = json.loads(run("work", "agent", "show", "qa", "--json").stdout)
    assert (found["id"], found["active"], found["aliases"]) == ("qa-implementation", True, ["qa"])
    assert found["commands"][0]["name"].startswith("limpet ")
    assert set(found["persona"]["greetings"]) == {"minimal", "named", "archetypal"}


def test_an_agent_that_rules_alone_declare_is_shown(workspace, run):
    """It has a name and rules."""
    write_rules(workspace, "AGENT_BOSS_STATE=active\n", agent_boss="BOSS_RULE_0=Ask first.\n")
    shown = run("work", "agent", "show", "boss").stdout
    assert shown.splitlines()[0] == "Boss boss" and "- Ask first." in shown


def test_outside_a_project_the_packaged_ones_are_shown(run, tmp_path):
    """With their packaged rules."""
    done = run("work", "agent", "show", "dev", cwd=tmp_path)
    assert done.returncode == 0
    assert "framework/rules/agent-dev" in done.stdout and "delegate to @devops" in done.stdout


@pytest.mark.parametrize(
    ("name", "said"), [("dev", "the packaged agent is used"), ("scribe", "so only its name is known")]
)
def test_a_broken_file_is_told_with_its_line(workspace, run, name, said):
    """What is used in its place is shown."""
    write(workspace.path("agents", f"{name}.md"), "---\nmission: Ours\nsteps: [\n---\n")
    done = run("work", "agent", "show", name)
    assert done.returncode == 0
    assert done.stderr.startswith(f"limpet: .limpet/agents/{name}.md:4: Invalid YAML") and said in done.stderr
    assert ("Build what the story says" in done.stdout) == (name == "dev") and "Ours" not in done.stdout


def test_no_file_is_made_by_looking(workspace, run):
    """Showing changes nothing."""
    before = sorted(os.listdir(workspace.home))
    run("work", "agent", "show", "dev")
    assert sorted(os.listdir(workspace.home)) == before


def test_an_agents_forms_are_printed_and_the_projects_own_come_first(run, workspace):
    assert "# Quality gate: planning\n" in run("work", "agent", "show", "qa-planning", "--forms").stdout
    write(workspace.path("quality-gates", "planning.md"), "# Ours\n")
    done = run("work", "agent", "show", "qa-planning", "--forms")
    assert done.stdout.endswith("# Ours\n") and "# Quality gate: planning" not in done.stdout
    forms = json.loads(run("work", "agent", "show", "qa-planning", "--forms", "--json").stdout)["forms"]
    assert [one["source"] for one in forms] == ["framework/templates/qa-gate.md", ".limpet/quality-gates/planning.md"]
    assert "\n<!-- brownfield-prd -->\n" in run("work", "agent", "show", "detail", "--forms").stdout
    assert run("work", "agent", "show", "dev", "--forms").stdout == "dev works by no form.\n"


def test_a_broken_form_is_told_on_stderr(run, workspace):
    write(workspace.path("templates", "prd.md"), b"\xff")
    done = run("work", "agent", "show", "detail", "--forms")
    assert done.stdout.startswith("# Requirements") and done.returncode == 0
    assert ".limpet/templates/prd.md" in done.stderr and "The packaged text is used." in done.stderr


def test_a_copy_of_a_packaged_agent_counts_at_once(run, workspace):
    """And no second one is written over it."""
    assert run("work", "agent", "new", "dev").stdout.startswith("Created .limpet/agents/dev.md.")
    write(workspace.path("agents", "dev.md"), read(workspace, "dev").replace("mission: ", "mission: Ours. ", 1))
    assert "Ours." in run("work", "agent", "show", "dev").stdout
    again = run("work", "agent", "new", "dev")
    assert (again.returncode, "The project has this agent already" in again.stderr) == (1, True)


def test_the_form_of_a_task_filled_in_is_a_story(run, workspace):
    """Each placeholder replaced by words, it can be checked, started and read back."""
    form = run("work", "agent", "show", "tasks", "--forms").stdout
    first = form.replace("{id}", "S-1").replace("{agent, worker, human or clone}", "agent")
    write(workspace.path("stories", "S-1", "story.md"), re.sub(r"\{[^{}]*\}", "words", first))
    checked = run("work", "story", "show", "--check", "S-1")
    assert checked.returncode == 0, checked.stdout
    shown = run("work", "story", "show", "S-1").stdout
    assert "Executor: @dev (agent)" in shown
    assert shown.count("- [ ] Given words, when words, then words") == 2
