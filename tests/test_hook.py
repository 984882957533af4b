"""The hook as a host starts it: a process each, with the bare interpreter and the payload on stdin."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest

import holdfast
from holdfast.context.reader import read_block
from holdfast.ground.schema import load_schema
from holdfast.hosts.command import BOOTSTRAP

from .conversation import remove, write, write_rules

SOURCE = os.path.dirname(os.path.dirname(holdfast.__file__))
SCHEMA = jsonschema.Draft202012Validator(load_schema("context-block"))
MANIFEST = """GLOBAL_ALWAYS_ON=true
API_RECALL=endpoint, route
API_EXCLUDE=mock endpoint
COMMANDS_STATE=active
"""
HOSTILE_IDS = (
    "../../../x",
    "/etc/x",
    "..",
    ".",
    "a/b\\c",
    "C:\\x",
    "nul\0byte",
    "x" * 5000,
    "\ud800",
    "日本",
    " ",
    "-",
)


class Answer:
    """How the process ended and what it said."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def block(self):
        """The block as data, or None."""
        return read_block(self.text) if self.out else None

    @property
    def text(self):
        """The block as the host gets it."""
        output = json.loads(self.out)["hookSpecificOutput"]
        assert set(output) == {"hookEventName", "additionalContext"}
        return output["additionalContext"]


def spawn(stdin, *args, cwd, source=SOURCE, env=None):
    """Run the bootstrap with these arguments, as the host's command line does."""
    command = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, source, *args]
    done = subprocess.run(command, input=stdin, cwd=cwd, env=env, capture_output=True, timeout=60)
    return Answer(done)


class Host:
    """A host with a project open."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.numbers = itertools.count()

    def send(self, event, cwd=None, **payload):
        """An event with its payload."""
        cwd = cwd or self.workspace.root
        payload = {"session_id": "s", "cwd": cwd, "hook_event_name": event, **payload}
        given = {name: value for name, value in payload.items() if value is not ...}
        return spawn(json.dumps(given).encode(), "claude-code", event, cwd=self.workspace.root)

    def prompt(self, text="Go on.", **payload):
        """The user types; what comes back must be harmless, whatever it is."""
        payload = {"prompt": text, "prompt_id": f"p{next(self.numbers)}", **payload}
        answer = self.send("UserPromptSubmit", **payload)
        assert (answer.code, answer.err) == (0, b"")
        return answer


@pytest.fixture
def host(workspace):
    """A host whose project has a global rule, a keyword domain and a star-command."""
    write_rules(
        workspace,
        MANIFEST,
        **{
            "global": "GLOBAL_RULE_0=Read first.\n",
            "api": "API_RULE_0=Version it.\n",
            "commands": "BRIEF_RULE_0=Short.\n",
        },
    )
    return Host(workspace)


def outside(workspace):
    """Every file in the test's own folder that does not lie in the project's ``.holdfast``."""
    top = os.path.dirname(workspace.root)
    found = {os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names}
    return {path for path in found if not path.startswith(workspace.home + os.sep)}


def state(workspace, name="s"):
    with open(workspace.path("sessions", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def rule_lines(answer, domain):
    return next(
        (rules["lines"] for rules in (answer.block or {"rules": []})["rules"] if rules["domain"] == domain), None
    )


# What goes right


def test_the_first_prompt_carries_a_sound_block(host):
    """JSON on stdout with the block for the model, exit 0, nothing on stderr (decisions 4, 5)."""
    answer = host.prompt("Add an endpoint. *brief")
    SCHEMA.validate(answer.block)
    assert rule_lines(answer, "GLOBAL") == ["Read first."]
    assert rule_lines(answer, "API") == ["Version it."]
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert len(answer.block["constitution"]) > 3


def test_a_second_prompt_with_nothing_new_gets_nothing(host):
    """Not even an empty block (decision 5)."""
    host.prompt()
    assert host.prompt().out == b""


def test_a_project_without_any_file_of_rules_still_has_the_constitution(workspace):
    """The shipped constitution needs no file of the project's."""
    assert Host(workspace).prompt().block["constitution"]


def test_outside_a_project_nothing_is_said_and_nothing_written(tmp_path):
    """A folder without ``.holdfast`` stays as it is."""
    (tmp_path / "elsewhere").mkdir()
    payload = json.dumps({"session_id": "s", "cwd": str(tmp_path / "elsewhere"), "prompt": "endpoint"}).encode()
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=tmp_path / "elsewhere")
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_subdirectory_of_any_depth_belongs_to_its_project(host):
    """CARL looks ten levels up and SYNAPSE none: here every level is searched."""
    deep = os.path.join(host.workspace.root, *"abcdefghijklmno")
    os.makedirs(deep)
    assert rule_lines(host.prompt(cwd=deep), "GLOBAL") == ["Read first."]


def test_a_worktree_has_its_own_rules_and_the_main_ones_events(host, tmp_path):
    """Decision 13: rules and sessions are the worktree's, events the main worktree's."""
    root, tree = host.workspace.root, str(tmp_path / "tree")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", root]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", tree], check=True)
    borrowed = host.prompt(cwd=tree, session_id="without-own")
    write(os.path.join(tree, ".holdfast", "rules", "manifest"), "GLOBAL_ALWAYS_ON=true\n")
    write(os.path.join(tree, ".holdfast", "rules", "global"), "GLOBAL_RULE_0=The worktree's own.\n")
    own = host.prompt(cwd=os.path.join(tree, ".holdfast"), session_id="with-own")
    assert rule_lines(borrowed, "GLOBAL") == ["Read first."]
    assert rule_lines(own, "GLOBAL") == ["The worktree's own."]
    assert os.path.exists(os.path.join(tree, ".holdfast", "sessions", "with-own.json"))
    assert os.path.exists(os.path.join(host.workspace.home, "events", "with-own.jsonl"))
    assert not os.path.exists(os.path.join(tree, ".holdfast", "events"))


@pytest.mark.parametrize(
    "prompt", ["<task-notification>\nendpoint done", "<bash-notification> endpoint", " \n<system-notification>endpoint"]
)
def test_a_prompt_that_nobody_typed_gets_nothing(host, prompt):
    """What the client submits itself neither counts nor costs (parity: first prompts emit)."""
    assert host.prompt(prompt).out == b""
    assert not os.path.exists(host.workspace.path("sessions", "s.json"))


# Edits


def test_an_edited_rule_shows_at_the_very_next_prompt(host):
    """CARL shows an edit up to ten prompts late; a same-sized edit in place, right away, is seen too (decision 10)."""
    host.prompt("the endpoint")
    write(host.workspace.path("rules", "api"), "API_RULE_0=Revisit it\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Revisit it"]
    write(host.workspace.path("rules", "global"), "GLOBAL_RULE_0=Read twice.\n")
    assert rule_lines(host.prompt(), "GLOBAL") == ["Read twice."]


def test_an_edited_manifest_shows_at_the_very_next_prompt(host):
    """New keywords, and a domain switched off (decision 10)."""
    host.prompt()
    write(host.workspace.path("rules", "manifest"), MANIFEST.replace("endpoint, route", "webhook"))
    assert host.prompt("the endpoint").out == b""
    assert rule_lines(host.prompt("the webhook"), "API") == ["Version it."]
    write(host.workspace.path("rules", "manifest"), MANIFEST + "GLOBAL_STATE=inactive\n")
    block = host.prompt().block
    assert block["stable"] and block["rules"] == []


def test_an_edited_constitution_shows_at_the_very_next_prompt(host):
    """The project's own article comes with the stable part, whose signature it changes (decisions 5, 19)."""
    host.prompt()
    write(host.workspace.path("constitution.md"), "### XVII. Licences (BLOCK)\n- MUST keep headers.\n")
    block = host.prompt().block
    assert block["articles"] == [{"title": "XVII. Licences (BLOCK)", "lines": ["MUST keep headers."]}]
    assert "XVII. Licences (BLOCK)" in " ".join(block["constitution"] + block["left_out"])


def test_a_new_command_and_a_new_file_are_there_at_once(host):
    """What was added to ``commands`` in place can be typed at the very next prompt (decision 10)."""
    host.prompt()
    write(host.workspace.path("rules", "commands"), "BRIEF_RULE_0=Short.\nSHOUT_RULE_0=Loud.\n")
    assert host.prompt("*shout").block["commands"] == [{"name": "shout", "lines": ["Loud."]}]
    write(host.workspace.path("rules", "manifest"), MANIFEST + "DB_RECALL=table\n")
    assert host.prompt("the table").block["notes"] == ["no rules file for DB (holdfast rules check)"]
    write(host.workspace.path("rules", "db"), "DB_RULE_0=Migrate.\n")
    assert rule_lines(host.prompt("the table"), "DB") == ["Migrate."]


def test_a_removed_rule_file_is_gone_at_the_very_next_prompt(host):
    """Its domain says nothing any more, and the block tells why."""
    assert rule_lines(host.prompt("the endpoint"), "API")
    os.unlink(host.workspace.path("rules", "api"))
    block = host.prompt("the endpoint").block
    assert (block["rules"], block["notes"]) == ([], ["no rules file for API (holdfast rules check)"])


@pytest.mark.parametrize("cache", [b"", b"holdfast-plan 0.0.0\njunk", "half", "garbage"])
def test_a_spoilt_plan_is_made_anew(host, cache):
    """Principle 2: the cache can be deleted, cut short or overwritten."""
    host.prompt()
    path = host.workspace.path("cache", "plan")
    with open(path, "rb") as file:
        whole = file.read()
    spoilt = {"half": whole[: len(whole) - 40], "garbage": whole[:60] + b"\0" * (len(whole) - 60)}
    write(path, spoilt.get(cache, cache))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


# Bad rule files


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xef\xbb\xbfAPI_RULE_0=With a BOM.\n", ["With a BOM."]),
        (b"API_RULE_0=One.\r\n\r\nAPI_RULE_1=Two.\r\n", ["One.", "Two."]),
        (b"API_RULE_0=One.\rAPI_RULE_1=Two.\r", ["One.", "Two."]),
        (b"API_RULE_0=caf\xe9\nAPI_RULE_1=Two.\n", ["caf\ufffd", "Two."]),
        (b"API_RULE_0=a\0b\n", ["a\ufffdb"]),
        (b"API_RULE_0=</rules></holdfast-context>\n", ["</rules></holdfast-context>"]),
        ("API_RULE_0=\u202eevil\u202c 猫 👩‍👧\n".encode(), ["\u202eevil\u202c 猫 👩‍👧"]),
    ],
)
def test_a_rule_file_in_any_encoding_speaks(host, raw, said):
    """A byte that is no UTF-8 costs itself, not the domain (CARL drops the domain, or everything)."""
    write(host.workspace.path("rules", "api"), raw)
    assert rule_lines(host.prompt("the endpoint"), "API") == said


def test_a_manifest_with_a_bad_byte_and_a_bom_still_counts(host):
    """Parity: one bad byte in CARL's manifest disabled everything in silence."""
    write(
        host.workspace.path("rules", "manifest"), b"\xef\xbb\xbf# caf\xe9\r\n" + MANIFEST.replace("\n", "\r\n").encode()
    )
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def test_a_rule_of_100000_characters_is_left_out_with_a_pointer(host):
    """Decision 4: the block stays within its budget and says where to read what is missing."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=" + "very long " * 10_000)
    answer = host.prompt("the endpoint")
    assert "API: no room left in the budget (holdfast rules show API)" in answer.block["left_out"]
    assert len(answer.text) < 9500


def test_a_hundred_matching_domains_stay_under_the_hosts_cap(host):
    """Parity: CARL at 100 domains lists them all, and from 10,000 characters on the host cuts the block."""
    names = [f"D{n}" for n in range(100)]
    write(host.workspace.path("rules", "manifest"), "".join(f"{name}_RECALL=endpoint\n" for name in names))
    for name in names:
        write(
            host.workspace.path("rules", name.lower()),
            "".join(f"{name}_RULE_{n}=Some rule, number {n}.\n" for n in range(9)),
        )
    answer = host.prompt("the endpoint")
    SCHEMA.validate(answer.block)
    assert len(answer.text) < 9500
    assert len(answer.block["rules"]) > 5


# Bad input


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" \n",
        b"{",
        b'{"prompt": "endpoint"',
        b"[]",
        b"5",
        b"null",
        b'"endpoint"',
        b"{} {}",
        b"\x00",
        b"\xff\xfe{\x00}\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"not json at all",
        b'{"prompt": "x\nendpoint"}',
    ],
    ids=lambda raw: raw[:12].decode("latin-1").encode("unicode_escape").decode(),
)
def test_bad_input_is_met_with_silence(host, raw):
    """Exit 0, nothing said on either stream, and nothing counted."""
    answer = spawn(raw, "claude-code", "UserPromptSubmit", cwd=host.workspace.root)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert not os.path.exists(host.workspace.path("sessions"))


def test_a_payload_that_is_no_utf_8_or_has_a_bom_is_read(host):
    """Bytes of another encoding cost themselves only."""
    cwd = json.dumps(host.workspace.root).encode()
    raw = b'\xef\xbb\xbf{"session_id": "s", "cwd": ' + cwd + b', "prompt": "caf\xe9 endpoint \xff"}'
    answer = spawn(raw, "claude-code", "UserPromptSubmit", cwd=host.workspace.root)
    assert (answer.code, answer.err) == (0, b"")
    assert rule_lines(answer, "API") == ["Version it."]


@pytest.mark.parametrize("key", ["session_id", "prompt", "transcript_path", "cwd", "prompt_id", "context_tokens"])
@pytest.mark.parametrize("value", [None, 5, [], {"a": 1}, True])
def test_a_field_of_another_type_counts_as_absent(host, key, value):
    """CARL ends with a traceback on a numeric prompt; here the rest of the payload still counts."""
    answer = host.prompt(**{key: value})
    assert rule_lines(answer, "GLOBAL") == ["Read first."]


def test_fifty_megabytes_are_read_and_answered(host):
    """A huge paste: its beginning is searched, and the block says so."""
    answer = host.prompt("endpoint " + "lorem ipsum * dolor " * 2_600_000)
    assert rule_lines(answer, "API") == ["Version it."]
    assert "a very long prompt: only its beginning was searched for keywords" in answer.block["notes"]


@pytest.mark.parametrize("session", HOSTILE_IDS, ids=range(len(HOSTILE_IDS)))
def test_no_session_id_leads_out_of_the_folder(host, session):
    """CARL writes wherever ``../../../x`` leads; SYNAPSE falls silent. Here the state is kept, inside (parity)."""
    before = outside(host.workspace)
    assert host.prompt(session_id=session).block["stable"]
    assert host.prompt(session_id=session).out == b""
    assert outside(host.workspace) == before
    assert len(os.listdir(host.workspace.path("sessions"))) == 1


@pytest.mark.parametrize("session", [..., ""])
def test_without_a_session_id_every_block_is_whole(host, session):
    """No state, so no silence either; no file is made for nobody."""
    assert host.prompt("the endpoint", session_id=session).block["stable"]
    assert rule_lines(host.prompt("the endpoint", session_id=session), "API") == ["Version it."]
    assert not os.path.exists(host.workspace.path("sessions"))


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("claude-code",),
        ("claude-code", ""),
        ("claude-code", "NoSuchEvent"),
        ("no-such-host", "UserPromptSubmit"),
        ("", ""),
    ],
)
def test_an_unknown_host_or_event_is_met_with_silence(host, args):
    """Whatever arguments a later or foreign configuration gives."""
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "endpoint"}).encode()
    answer = spawn(payload, *args, cwd=host.workspace.root)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_surplus_arguments_do_no_harm(host):
    """A host may append its own."""
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "endpoint"}).encode()
    assert spawn(payload, "claude-code", "UserPromptSubmit", "--more", "x", cwd=host.workspace.root).block["stable"]


@pytest.mark.parametrize("cwd", ["/no/such/folder", "relative", "nul\0", "x" * 5000, "\ud800"])
def test_a_folder_that_is_none_is_met_with_silence(host, cwd):
    """A working directory that cannot be is no reason to fail."""
    answer = host.send("UserPromptSubmit", prompt="endpoint", **{"cwd": cwd})
    assert (answer.code, answer.err) == (0, b"")


@pytest.mark.parametrize("path", ["/no/such/file", "nul\0", ".", "/dev/null"])
def test_a_transcript_that_cannot_be_read_means_fresh(host, path):
    """Parity: an unknown bracket is FRESH."""
    assert host.prompt(transcript_path=path).block["bracket"] == "FRESH"


def test_closed_streams_are_no_error(host):
    """A host that went away, or that gave none of the streams."""
    command = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, SOURCE, "claude-code", "UserPromptSubmit"]
    closed = ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command]
    assert subprocess.run(closed, cwd=host.workspace.root, timeout=60).returncode == 0


def test_a_reader_that_hung_up_is_no_error(host):
    """The pipe is closed before the answer is written."""
    reading, writing = os.pipe()
    os.close(reading)
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "endpoint"}).encode()
    command = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, SOURCE, "claude-code", "UserPromptSubmit"]
    done = subprocess.run(
        command, input=payload, stdout=writing, stderr=subprocess.PIPE, cwd=host.workspace.root, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_modules_of_the_project_are_never_imported(host):
    """A ``json.py`` or ``holdfast.py`` in the project is the project's own business (decision 14)."""
    for name in ("json", "os", "holdfast", "time", "marshal", "unicodedata"):
        write(os.path.join(host.workspace.root, f"{name}.py"), "raise SystemExit('taken over')\n")
    assert rule_lines(host.prompt("an ação endpoint"), "API") == ["Version it."]


# State that cannot be kept, or is not ours


@pytest.mark.parametrize("folder", ["cache", "sessions", "metrics", "events"])
def test_a_folder_that_cannot_be_written_costs_only_itself(host, folder):
    """A file stands where a folder should: the rules come nonetheless, twice if need be."""
    remove(host.workspace.path(folder))
    write(host.workspace.path(folder), "in the way")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert rule_lines(host.prompt("the route", prompt_id="q"), "API") in (["Version it."], None)
    with open(host.workspace.path(folder), encoding="utf-8") as file:
        assert file.read() == "in the way"


def test_state_that_cannot_be_saved_is_said(host):
    """Without a lock there is no saving, and the block says what that means."""
    write(host.workspace.path("cache"), "in the way")
    for _ in range(2):
        block = host.prompt().block
        assert block["stable"]
        assert "the conversation's state cannot be saved: rules may come twice" in block["notes"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_still_speaks(host):
    """Nothing can be written, and the rules come."""
    for folder, _, _ in os.walk(host.workspace.home):
        os.chmod(folder, 0o500)
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"5", b'{"prompt_count": 3', b"\xff\xfe\x00", b"[" * 5000])
def test_a_damaged_session_file_is_set_aside_and_said(host, raw):
    """Nothing is lost: the old bytes stay beside the new file (decision 36)."""
    path = host.workspace.path("sessions", "s.json")
    write(path, raw)
    block = host.prompt().block
    assert block["stable"]
    assert "the session file was damaged: a new one was begun, the old one is s.json.damaged" in block["notes"]
    with open(path + ".damaged", "rb") as file:
        assert file.read() == raw
    assert state(host.workspace)["prompt_count"] == 1


CARL_SESSION = {
    "uuid": "s",
    "started": "2026-01-31T10:00:00",
    "cwd": "/somewhere",
    "label": "somewhere",
    "title": "A title",
    "prompt_count": 7,
    "last_activity": "2026-01-31T11:00:00",
    "overrides": {"DEVMODE": None, "API_STATE": None},
    "last_context_signature": "x",
}
SYNAPSE_SESSION = {
    "uuid": "s",
    "schema_version": "2.0",
    "title": "A title",
    "prompt_count": 7,
    "active_agent": {"id": "dev", "activated_at": "2026-01-31T10:00:00Z"},
    "context": {"last_bracket": "FRESH"},
    "overrides": {},
    "history": {"star_commands_used": ["brief"], "agents_activated": ["dev"]},
}


@pytest.mark.parametrize("foreign", [CARL_SESSION, SYNAPSE_SESSION], ids=["carl", "synapse"])
def test_a_foreign_session_file_goes_on(host, foreign):
    """SYNAPSE overwrites CARL's sessions; here count, title, overrides and fields unknown to us stay (decision 36)."""
    write(host.workspace.path("sessions", "s.json"), json.dumps(foreign))
    assert host.prompt().block["stable"]
    found = state(host.workspace)
    assert (found["prompt_count"], found["title"]) == (8, "A title")
    assert {name: found[name] for name in ("uuid", "overrides")} == {
        name: foreign[name] for name in ("uuid", "overrides")
    }


@pytest.mark.parametrize(
    "spoilt",
    [
        {"stretch": {"sent": None, "began": "x", "stable": 5, "bracket": []}},
        {"stretch": {"sent": {"L6 API": 5, "L6 OTHER": ["d", "x"], "off L6 API": []}}},
        {"history": {"star_commands": None, "domains_last": 5}},
        {"claims": [["key", "when"], 5, None]},
        {"marker": 5, "model": 5, "last": [], "active_agent": 5, "task": 5, "mode": []},
        {"prompt_count": "7", "void_before": None, "compactions": [], "overrides": []},
        {"overrides": {"API": "off", "GLOBAL": 0}},
        {"id": "somebody-else"},
        {"void_before": -5, "prompt_count": -3},
        {"active_agent": {"id": "dev"}},
    ],
    ids=lambda spoilt: " ".join(spoilt),
)
def test_fields_of_another_shape_are_mended(host, spoilt):
    """A file edited by hand or by another version costs no prompt its rules, and is whole afterwards."""
    write(host.workspace.path("sessions", "s.json"), json.dumps({"schema_version": 1, "id": "s", **spoilt}))
    first = host.prompt("the endpoint *brief *holdfast debug")
    assert rule_lines(first, "API") == ["Version it."]
    assert rule_lines(host.prompt("the endpoint"), "API") is None
    assert os.listdir(host.workspace.path("sessions")) == ["s.json"]


def test_a_session_of_a_later_version_is_read_and_not_written(host):
    """Decision 36: an older product must not spoil what a newer one wrote."""
    path = host.workspace.path("sessions", "s.json")
    text = json.dumps({"schema_version": 99, "id": "s", "prompt_count": 7, "overrides": {"API": False}})
    write(path, text)
    block = host.prompt("the endpoint").block
    assert [rules["domain"] for rules in block["rules"]] == ["GLOBAL"]
    assert "the conversation's state cannot be saved: rules may come twice" in block["notes"]
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


# Many at once


def test_fifty_hooks_at_once_count_fifty_prompts(host):
    """No update is lost, the file stays whole, and the stable part goes out once (decisions 12, 36)."""
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda n: host.prompt(f"prompt {n}", prompt_id=f"id{n}"), range(50)))
    assert state(host.workspace)["prompt_count"] == 50
    assert sum(1 for answer in answers if answer.block and answer.block["stable"]) == 1


def test_the_same_prompt_fires_once(host):
    """Several hosts read one another's hooks: one injection, one count (decision 12)."""
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: host.prompt("the endpoint", prompt_id="same"), range(4)))
    assert sum(1 for answer in answers if answer.out) == 1
    assert state(host.workspace)["prompt_count"] == 1


def test_without_a_prompt_id_the_transcript_tells_prompts_apart(host, tmp_path):
    """The same words again are another prompt once the transcript grew, and the same one before (decision 12)."""
    transcript = str(tmp_path / "transcript.jsonl")
    for grown in ("{}\n", "{}\n", "{}\n{}\n"):
        write(transcript, grown)
        host.prompt("the endpoint", prompt_id=..., transcript_path=transcript)
    assert state(host.workspace)["prompt_count"] == 2


# A package that vanished


def test_a_removed_package_is_met_with_silence(host, tmp_path):
    """Decision 14: uninstalling must not block the prompt."""
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "x"}).encode()
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=host.workspace.root, source=str(tmp_path / "gone"))
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


@pytest.mark.parametrize(
    "missing", ["engine", "hosts/claude_code.py", "ground/clock.py", "rules/matcher.py", "context/layers"]
)
def test_a_package_in_pieces_harms_nobody(host, tmp_path, missing):
    """An update under way: whatever part is missing, the hook ends well, and says so where it still can."""
    shutil.copytree(holdfast.__path__[0], tmp_path / "copy" / "holdfast", ignore=shutil.ignore_patterns("__pycache__"))
    remove(str(tmp_path / "copy" / "holdfast" / missing))
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "x"}).encode()
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=host.workspace.root, source=str(tmp_path / "copy"))
    assert (answer.code, answer.err) == (0, b"")
    assert not answer.out or "no rules could be given" in answer.block["notes"][0]


def test_a_crash_is_said_in_one_line_and_kept_in_the_metrics(host, tmp_path):
    """Principle 1: what no layer caught is told to the model and kept to be read; the user sees nothing."""
    shutil.copytree(holdfast.__path__[0], tmp_path / "copy" / "holdfast", ignore=shutil.ignore_patterns("__pycache__"))
    write(str(tmp_path / "copy" / "holdfast" / "engine" / "gather.py"), "raise ValueError('broken')\n")
    payload = json.dumps({"session_id": "s", "cwd": host.workspace.root, "prompt": "x"}).encode()
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=host.workspace.root, source=str(tmp_path / "copy"))
    assert (answer.code, answer.err) == (0, b"")
    SCHEMA.validate(answer.block)
    assert answer.block["notes"] == ["no rules could be given for this event (ValueError): run `holdfast doctor`"]
    with open(host.workspace.path("metrics", "hook.jsonl"), encoding="utf-8") as file:
        crash = json.loads(file.read())
    assert (crash["crash"], crash["what"]) == ("ValueError", "broken")
