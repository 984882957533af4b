"""Files beyond the size that is read: they cost nothing, are named, and take nothing else along (decision 9)."""

import os
import sys

import pytest

from limpet.ground.config.defaults import ALL_RULES_BYTES, MOST_DOMAINS, RULES_BYTES, STATE_BYTES
from limpet.ground.config.mirror import LATE
from limpet.hosts.records import project_record
from limpet.rules.plan.store import open_plan

from ..conftest import SOURCE, write_settings
from ..conversation import age, write, write_rules
from ..hook_host import MANIFEST, notes, rule_lines, state
from ..places import private_path

GIGABYTE = 2**30


def sparse(path, size=GIGABYTE):
    """A file of so many bytes that takes no room."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab") as file:
        file.truncate(size)


@pytest.fixture(autouse=True)
def little_memory():
    """None of these files is read into memory, by any door."""
    before = most_memory()
    yield
    assert most_memory() - before < GIGABYTE // 2


def most_memory():
    """The bytes that this process held at most; Windows does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held if sys.platform == "darwin" else held * 1024


@pytest.mark.parametrize(
    ("name", "size", "limit", "said"),
    [
        ("rules/api", RULES_BYTES + 1, 256, "no rules file for API (limpet rules check)"),
        ("rules/api", GIGABYTE, 256, "no rules file for API (limpet rules check)"),
        ("rules/manifest", STATE_BYTES + 1, 1024, "rules: 1 mistakes (limpet rules check)"),
        ("rules/manifest", GIGABYTE, 1024, "rules: 1 mistakes (limpet rules check)"),
        ("constitution.md", GIGABYTE, 256, "rules: 1 mistakes (limpet rules check)"),
    ],
)
def test_a_file_of_rules_is_left_out_and_named(host, check, name, size, limit, said):
    """What always holds and the shipped constitution stay; without a manifest no word calls a domain."""
    sparse(host.workspace.path(*name.split("/")), size)
    answer = host.prompt("the endpoint")
    assert rule_lines(answer, "GLOBAL") == ["Read first."]
    assert (rule_lines(answer, "API") is None) == name.startswith("rules")
    assert answer.block["constitution"] and said in notes(answer)
    assert f".limpet/{name}: larger than {limit} KB; the file is ignored" in check()


def test_a_domain_file_of_just_that_size_counts(host):
    text = "API_RULE_0=Version it.\n"
    write(host.workspace.path("rules", "api"), text + "#" * (RULES_BYTES - len(text)))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


@pytest.mark.parametrize("name", ["squad.yaml", ".limpet/rules/manifest", ".limpet/rules/one"])
def test_a_squads_file_is_named(host, check, name):
    folder = os.path.join(host.workspace.root, "squads", "big")
    write(os.path.join(folder, "squad.yaml"), "name: big\n")
    write(os.path.join(folder, ".limpet", "rules", "manifest"), "ONE_RECALL=endpoint\n")
    write(os.path.join(folder, ".limpet", "rules", "one"), "ONE_RULE_0=One.\n")
    sparse(os.path.join(folder, *name.split("/")))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert [each for each in check() if each.startswith(f"squads/big/{name}: larger than")]


def test_all_rules_together_have_a_limit(host, check, monkeypatch):
    """The first are read, the last are not; the limit is a quarter here."""
    limit = ALL_RULES_BYTES // 4
    for room in ("plan.sources", "check.project"):
        monkeypatch.setattr(f"limpet.rules.{room}.ALL_RULES_BYTES", limit)
    names = [f"d{number:02}" for number in range(limit // RULES_BYTES + 2)]
    write_rules(host.workspace, MANIFEST + "".join(f"{name.upper()}_RECALL={name}\n" for name in names))
    for name in names:
        text = f"{name.upper()}_RULE_0={name}.\n"
        write(host.workspace.path("rules", name), text + "#" * (RULES_BYTES - len(text)))
    answer = host.prompt(f"{names[0]} and {names[-1]}")
    assert (rule_lines(answer, names[0].upper()), rule_lines(answer, names[-1].upper())) == ([f"{names[0]}."], None)
    assert [each for each in check() if "rule files are larger than 1 MB" in each]


def test_all_domains_together_have_a_limit(host, check, monkeypatch):
    """The project's come first, then those of its squads; what is beyond is named. The limit is a hundredth here."""
    limit = MOST_DOMAINS // 100
    for room in ("plan.sources", "check.project"):
        monkeypatch.setattr(f"limpet.rules.{room}.MOST_DOMAINS", limit)
    names = [f"D{number}" for number in range(limit)]
    for squad, some in (("a", names[: limit // 2]), ("b", names[limit // 2 :])):
        folder = os.path.join(host.workspace.root, "squads", squad)
        write(os.path.join(folder, "squad.yaml"), f"name: {squad}\n")
        write(os.path.join(folder, ".limpet", "rules", "manifest"), "".join(f"{name}_RECALL=x\n" for name in some))
    answer = host.prompt("the endpoint")
    assert rule_lines(answer, "API") == ["Version it."]
    assert [note for note in notes(answer) if "limpet rules check" in note]
    assert [each for each in check() if "more than 120 domains" in each]
    assert len(open_plan(host.workspace).matcher["names"]) == limit


def test_the_plan_is_not_made_again_for_it(host):
    """What was too large once is, until it changed."""
    sparse(host.workspace.path("rules", "api"))
    age(host.workspace.home)
    host.prompt("the endpoint")
    before = os.stat(host.workspace.cached("plan"))
    host.prompt("the endpoint")
    after = os.stat(host.workspace.cached("plan"))
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


@pytest.mark.parametrize("name", ["config.yaml", "config.local.yaml", "session.yaml"])
def test_yaml_is_named_and_the_rest_counts(host, run, name):
    write(host.workspace.path("config.yaml"), "rules: {match: words}\n")
    workspace = host.workspace
    places = {"config.local.yaml": os.path.join(workspace.data, name), "session.yaml": workspace.kept(name)}
    sparse(places.get(name, workspace.path(name)))
    answer = host.prompt()
    assert rule_lines(answer, "GLOBAL") == ["Read first."]
    assert [note for note in notes(answer) if f"{name}" in note and "larger than 1024 KB" in note]
    if name != "session.yaml":
        assert "larger than 1024 KB" in run("doctor").stdout


@pytest.mark.parametrize("name", ["mirror.json", "plan", "status/s.json", "mirror.failed", "memory.db"])
def test_a_cache_is_made_anew_or_passed_over(host, name):
    write(host.workspace.path("config.yaml"), "rules: {match: words}\n")
    host.prompt()
    sparse(host.workspace.cached(*name.split("/")))
    assert rule_lines(host.prompt("*limpet reload"), "GLOBAL") == ["Read first."]


def test_the_conversations_state_is_set_aside(host):
    """As a damaged one is: it may be the user's, and is not written over."""
    host.prompt()
    sparse(private_path(host.workspace, "sessions", "s.json"))
    assert [note for note in notes(host.prompt()) if "s.json.damaged" in note]
    assert os.path.getsize(private_path(host.workspace, "sessions", "s.json.damaged")) == GIGABYTE
    assert state(host.workspace)["prompt_count"] == 1


@pytest.mark.parametrize("name", [".claude/settings.json", ".claude/settings.local.json"])
def test_settings_of_the_host_do_not_hold_up_the_status_line(host, run, user, name):
    """Nor does the record of the installation, nor `init`, which names them and changes nothing."""
    sparse(os.path.join(host.workspace.root, name))
    sparse(project_record(host.workspace.home))
    answer = host.send("StatusLine", context_window={"context_window_size": 200_000, "remaining_percentage": 81})
    assert (answer.code, answer.out, answer.err) == (0, b"limpet FRESH 81%", b"")
    assert "larger than 1024 KB" in run("doctor").stdout
    if name.endswith("local.json"):
        done = run("init", "--yes", "--host", "claude-code")
        assert (done.returncode, "larger than 1024 KB" in done.stderr) == (1, True)


@pytest.mark.parametrize("name", [".limpet/cache/tidied", ".git"])
def test_the_mark_of_the_last_tidying_and_the_pointer_of_a_worktree_are_not_read(host, name):
    sparse(os.path.join(host.workspace.root, name))
    assert rule_lines(host.send("SessionStart", source="startup"), "GLOBAL") == ["Read first."]


@pytest.mark.parametrize("command", [("status",), ("rules", "check"), ("log", "--hook")], ids=" ".join)
def test_a_log_of_metrics_is_read_from_its_end_only(host, run, command):
    """Without a line break it is no log of ours."""
    sparse(private_path(host.workspace, "metrics", "hook.jsonl"))
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))" if sys.platform == "linux" else ""
    )
    done = run(*command, first=limited)
    assert "MemoryError" not in done.stderr and "Traceback" not in done.stderr
    assert done.stdout


@pytest.mark.parametrize("command", ["*remember", "*gotcha", "*forget", "*limpet add API"])
def test_a_command_with_too_much_text_is_refused(host, command):
    """Megabytes: nothing is kept, and the person is told why."""
    answer = host.prompt(f"{command} " + "lorem ipsum " * 200_000)
    assert any("Nothing was done: the line is longer than 100,000 characters" in line for line in answer.shown)
    assert not os.path.exists(private_path(host.workspace, "memories"))
    assert rule_lines(answer, "GLOBAL") == ["Read first."]


def test_of_very_many_commands_the_first_are_followed(host):
    """Megabytes of them were not typed."""
    answer = host.prompt("*mode build\n" + "*brief\n" * 300_000)
    assert [told["name"] for told in answer.block["commands"]] == ["mode", "brief"]
    assert any("the limit is 100 per prompt" in line for line in answer.shown)


def test_a_mode_that_opens_a_long_line_acts(host):
    answer = host.prompt("*brief " + "lorem ipsum " * 20_000)
    assert [told["name"] for told in answer.block["commands"]] == ["brief"]


def test_a_committed_deadline_of_the_compiler_counts_no_longer_than_the_event(host):
    """It says a minute; the event has a quarter of a second."""
    write_settings(host.workspace, "hosts: {compiler_deadline_ms: 60000}\n")
    host.prompt()
    item = "  - {reason: one, type: bug, why: because}\n"
    write(private_path(host.workspace, "session.yaml"), "deviations:\n" + item * (STATE_BYTES // len(item) - 1))
    first = f"import sys; sys.path.append({SOURCE!r}); from limpet import hook; hook.WAITING = 0.05"
    assert notes(host.prompt(process={"first": first})) == LATE.split("; ")
