"""Rules that files call and rules that are checked (decision 52), by the command line."""

import json
import os

from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.storage.files import read_text
from limpet.operations.rules.checks import BROKEN, KEPT

from ...conftest import write_settings
from ...conversation import write, write_rules
from ...hook_host import Host

MANIFEST = "API_RECALL=endpoint\nSQL_PATHS=*.sql\n"
API = "API_RULE_3=Use the logger.\nAPI_CHECK_3=absent: console\\.log in *.ts\n"
RETENTION = {"events_bytes": 1_000_000, "rotated_files": 3}


def files(workspace, api=API, manifest=MANIFEST):
    write_rules(workspace, manifest, api=api, sql="SQL_RULE_0=Name it.\n")


def findings(run):
    found = json.loads(run("rules", "check", "--json").stdout)["findings"]
    return [f"{one['severity']} {one['where']}: {one['what']}" for one in found]


def test_sound_rules_have_no_finding(workspace, run):
    files(workspace)
    assert findings(run) == []


def test_a_bad_glob_is_found_in_both_files(workspace, run):
    """With file and line."""
    files(workspace, api=f"{API}API_PATHS=src/api, ../secret\n", manifest="API_RECALL=x\nSQL_PATHS=*.sql, a**/b\n")
    found = [line.partition(": ")[0] for line in findings(run)]
    assert found == ["error .limpet/rules/api:3", "error .limpet/rules/manifest:2"]


def test_a_bad_check_is_found(workspace, run):
    bad = "API_CHECK_0=absent: (a+)+ in *.ts\nAPI_CHECK_7=absent: y\nAPI_CHECK_TELL=perhaps\nAPI_CHECK_1=x\n"
    files(workspace, api=f"API_RULE_0=x\n{bad}")
    assert findings(run) == [
        "error .limpet/rules/api:2: API_CHECK_0 repeats a group that holds a repetition, which can take forever; "
        "it is ignored",
        "warning .limpet/rules/api:3: API_CHECK_7 checks no rule",
        "error .limpet/rules/api:4: invalid value API_CHECK_TELL=perhaps, read as no",
        "error .limpet/rules/api:5: API_CHECK_1 is no check; it is ignored",
        "warning .limpet/rules/api:5: API_CHECK_1 checks no rule",
    ]


def test_a_command_that_nobody_agreed_to_is_found(workspace, run):
    """And not, once a person set it."""
    files(workspace, api="API_RULE_0=x\nAPI_CHECK_0=run: make lint\n")
    assert "which nobody agreed to" in findings(run)[0]
    write_settings(workspace, "rules: {checks: {lint: make lint}}\n")
    assert findings(run) == []


def test_paths_of_a_domain_that_always_comes_have_no_effect(workspace, run):
    files(workspace, manifest="API_ALWAYS_ON=true\nAPI_PATHS=*.ts\nSQL_PATHS=*.sql\n")
    assert findings(run) == ["warning .limpet/rules/manifest:2: API_PATHS has no effect: paths do not apply to API"]


def test_the_list_says_which_files_call_a_domain(workspace, run):
    files(workspace)
    assert "files: *.sql" in run("rules", "list").stdout
    assert json.loads(run("rules", "list", "--json").stdout)[1]["paths"] == ["*.sql"]


def test_the_record_counts_kept_and_broken(workspace, run):
    """The last one counts as the state; rules without a check are left out."""
    files(workspace)
    for number, (kind, rules) in enumerate(((BROKEN, {"API_RULE_3": ["a.ts:1"]}), (KEPT, ["API_RULE_3"]))):
        actor = Actor(writer="checks", now=1_800_000_000.0 + 60 * number, retention=RETENTION)
        record(workspace, actor, kind, {"rules": rules})
    (found,) = json.loads(run("rules", "list", "--record", "--json").stdout)
    assert (found["rule"], found["kept"], found["broken"], found["state"]) == ("API_RULE_3", 1, 1, "kept")
    assert "kept 2027-01-15 08:01" in run("rules", "list", "--record").stdout


def test_the_record_of_a_project_without_checks_says_so(workspace, run):
    files(workspace, api="API_RULE_0=x\n")
    assert run("rules", "list", "--record").stdout == "No rule has a check.\n"


def test_a_domain_is_renamed_with_its_paths_and_checks(workspace, run):
    files(workspace, api=f"API_PATHS=src/**\n{API}API_CHECK_TELL=yes\n")
    assert run("rules", "edit", "api", "--rename", "http").returncode == 0
    with open(workspace.path("rules", "http"), encoding="utf-8") as file:
        assert file.read() == f"API_PATHS=src/**\n{API}API_CHECK_TELL=yes\n".replace("API_", "HTTP_")


def test_why_and_log_tell_what_a_file_brought(workspace, run):
    """Beside what came with the prompt."""
    files(workspace)
    host = Host(workspace)
    host.prompt("hello")
    given = {"file_path": os.path.join(workspace.root, "a.sql")}
    host.send("PreToolUse", tool_name="Read", tool_input=given, tool_use_id="t")
    assert "SQL, called by: *.sql" in run("why").stdout.partition("Came with files since")[2]
    assert "a file was opened; sent" in run("log").stdout


def test_log_tells_of_rules_kept_and_broken(workspace, run):
    files(workspace)
    actor = Actor(writer="checks", now=1_800_000_000.0, retention=RETENTION)
    record(workspace, actor, BROKEN, {"rules": {"API_RULE_3": ["a.ts:1"]}})
    assert "rules broken: API_RULE_3" in run("log").stdout


def test_a_committed_command_waits_for_a_persons_word(workspace, run):
    """Decision 46: what comes with a pull runs nothing."""
    files(workspace)
    write(workspace.path("config.yaml"), "rules: {checks: {lint: make lint}}\n")
    done = run("config", "get", "rules.checks")
    assert "make lint" not in done.stdout


def test_add_and_edit_take_paths(workspace, run):
    """An empty list removes them."""
    files(workspace)
    run("rules", "add", "web", "--paths", "*.html, web/**", "--rule", "Close tags.")
    assert "WEB_PATHS=*.html, web/**\n" in read(workspace)
    assert run("rules", "edit", "web", "--paths", "").returncode == 0
    assert "WEB_PATHS" not in read(workspace)


def test_a_bad_glob_is_refused(workspace, run):
    files(workspace)
    done = run("rules", "edit", "sql", "--paths", "../x")
    assert (done.returncode, "from the project's root" in done.stderr, "../x" in read(workspace)) == (1, True, False)


def read(workspace):
    return read_text(workspace.path("rules", "manifest"))
