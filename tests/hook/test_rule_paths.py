"""Rules that a file calls come with the tool's event, once an epoch (decision 52), by the spawned hook."""

import os

import pytest

from limpet.ground.event_log import metrics_path
from limpet.ground.storage.json_lines import read_newest_first

from ..conftest import write_settings
from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, Host, rule_lines
from ..memories import fill
from ..places import private_path

PATHS = "SQL_PATHS=*.sql, /migrations/**\n"
RULE = "Name every constraint."


@pytest.fixture
def host(workspace):
    """A host whose project has a domain that files call."""
    write_rules(workspace, MANIFEST + PATHS, sql=f"SQL_RULE_0={RULE}\n", **RULES)
    return Host(workspace)


def use(host, path, tool="Read", **payload):
    """The agent uses a tool on a file of the project."""
    given = {"file_path": os.path.join(host.workspace.root, path)}
    answer = host.send("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=f"t{next(host.numbers)}", **payload)
    assert (answer.code, answer.err) == (0, b"")
    return answer


@pytest.mark.parametrize(
    ("tool", "field"),
    [("Read", "file_path"), ("Edit", "file_path"), ("Write", "file_path"), ("NotebookEdit", "notebook_path")],
)
def test_a_file_brings_its_rules(host, tool, field):
    """Whatever the tool does with it; nothing but the rules comes, and they name the files that they are about."""
    answer = host.send("PreToolUse", tool_name=tool, tool_input={field: "db/a.sql"}, tool_use_id="t")
    block = answer.block
    assert [(rules["domain"], rules["lines"]) for rules in block["rules"]] == [("SQL", [RULE])]
    assert (block["constitution"], block["mode"]) == ([], None)
    assert 'files="*.sql, /migrations/**"' in answer.text


@pytest.mark.parametrize("path", ["db/a.py", "../a.sql"])
def test_a_file_that_no_rule_names_brings_nothing(host, path):
    """Nor does one outside the project; nothing is written."""
    assert use(host, path).out == b""
    assert not os.path.exists(private_path(host.workspace, "sessions", "s.json"))


def test_rules_come_once_an_epoch(host):
    use(host, "db/a.sql")
    assert use(host, "migrations/1.py", "Edit").out == b""
    host.send("PreCompact", trigger="manual")
    host.send("SessionStart", source="compact")
    assert rule_lines(use(host, "db/a.sql"), "SQL") == [RULE]


@pytest.mark.parametrize(
    ("prompt", "manifest"),
    [
        ("Which constraint?", "SQL_RECALL=constraint\n"),
        ("*limpet off SQL", ""),
        ("Hello.", "SQL_STATE=inactive\n"),
        ("*private", ""),
    ],
)
def test_no_rules_come_that_the_prompt_brought_or_that_are_off(host, prompt, manifest):
    """In the conversation, in the manifest, or with all of Limpet."""
    write(host.workspace.path("rules", "manifest"), MANIFEST + PATHS + manifest)
    host.prompt(prompt)
    assert use(host, "db/a.sql").out == b""


def test_a_full_window_gets_no_rules_of_files(host):
    """As none that a word calls (L6 is off)."""
    host.prompt("Hello.", transcript_path=fill(host.workspace, "CRITICAL"))
    assert use(host, "db/a.sql").out == b""


@pytest.mark.parametrize(("mode", "told"), [("", ["Load in batches."]), ("ETL_EXTENDS=none\n", None)])
def test_a_squads_domain_is_called_unless_it_stands_alone(host, mode, told):
    rules = os.path.join(host.workspace.root, "squads", "etl", ".limpet", "rules")
    write(os.path.join(rules, "manifest"), f"LOAD_PATHS=*.csv\n{mode}")
    write(os.path.join(rules, "load"), "LOAD_RULE_0=Load in batches.\n")
    answer = use(host, "x.csv")
    assert (rule_lines(answer, "ETL_LOAD") if answer.out else None) == told


def test_the_next_block_does_not_repeat_them(host):
    """A prompt that calls the domain by a word only names it."""
    write(host.workspace.path("rules", "manifest"), MANIFEST + PATHS + "SQL_RECALL=constraint\n")
    use(host, "db/a.sql")
    answer = host.prompt("Which constraint?")
    assert (rule_lines(answer, "SQL"), answer.block["in_force"]) == (None, ["SQL"])


def test_rules_switched_off_later_are_withdrawn(host):
    """As those that a word called."""
    use(host, "db/a.sql")
    write(host.workspace.path("rules", "manifest"), MANIFEST + PATHS + "SQL_STATE=inactive\n")
    assert "No longer in force: SQL" in host.prompt("Go on.").text


def test_a_file_named_by_hand_counts_from_the_next_start(host):
    """A domain's file that was edited in its place tells of it in no folder."""
    host.prompt("Hello.")
    with open(host.workspace.path("rules", "api"), "a", encoding="utf-8") as file:
        file.write("API_PATHS=src/api/**\n")
    host.send("SessionStart", source="startup", session_id="later")
    assert rule_lines(use(host, "src/api/x.ts", session_id="later"), "API") == ["Version it."]


def test_rules_edited_since_come_as_they_are_now(host):
    host.prompt("Hello.")
    write(host.workspace.path("rules", "sql"), "SQL_RULE_0=Name indexes too.\n")
    assert rule_lines(use(host, "db/a.sql"), "SQL") == ["Name indexes too."]


def test_a_subagent_is_told_too_and_once(host):
    """Its window is its own: what the conversation holds it does not, and the other way round."""
    inside = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert rule_lines(use(host, "db/a.sql", **inside), "SQL") == [RULE]
    assert use(host, "db/a.sql", **inside).out == b""
    assert rule_lines(use(host, "db/a.sql"), "SQL") == [RULE]


def test_what_is_over_the_budget_is_named_once(host):
    """Its own budget: ``context.files.tokens``."""
    write_settings(host.workspace, "context: {files: {tokens: 200}}\n")
    lines = "".join(f"SQL_RULE_{number}={RULE} And {'very ' * 12}well.\n" for number in range(9))
    write(host.workspace.path("rules", "sql"), lines)
    first, second = use(host, "db/a.sql"), use(host, "db/b.sql")
    assert 0 < len(rule_lines(first, "SQL")) < 9
    assert "SQL: cut" in first.block["left_out"][0]
    assert second.out == b""


def test_a_project_that_is_not_trusted_gives_none(host, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "nobody"))
    assert use(host, "db/a.sql").out == b""


def test_what_was_brought_is_recorded(host):
    """As a block of a prompt is: pieces, tokens, and what called them."""
    use(host, "db/a.sql")
    line = next(iter(read_newest_first(metrics_path(host.workspace))))
    assert (line["event"], line["in"]) == ("tool_before", ["SQL"])
    assert line["matched"] == {"SQL": ["*.sql", "/migrations/**"]}


def test_a_tool_call_is_silent_where_the_rules_cannot_be_read(host):
    """No failure is said in the middle of a turn."""
    host.prompt("Hello.")
    os.replace(host.workspace.path("rules"), host.workspace.path("elsewhere"))
    write(host.workspace.path("rules"), "no folder")
    assert use(host, "db/a.sql").out == b""


@pytest.mark.parametrize("given", [..., None, [], {"file_path": 3}, {"file_path": "\0"}, {"file_path": "a" * 9000}])
def test_a_strange_payload_is_silent(host, given):
    answer = host.send("PreToolUse", tool_name="Read", tool_input=given, tool_use_id="x")
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_the_last_rule_of_the_kind_takes_the_mark_along(host):
    """Beside the plan stands whether files call anything, so that other projects read no plan on a tool call."""
    use(host, "db/a.sql")
    mark = host.workspace.cached("plan.files")
    had = os.path.exists(mark)
    write(host.workspace.path("rules", "manifest"), MANIFEST)
    host.prompt("Go on.")
    assert (had, os.path.exists(mark)) == (True, False)
