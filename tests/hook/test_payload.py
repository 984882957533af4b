"""What a host may hand over: no JSON, other types, other arguments, closed streams, no environment."""

import json
import os
import subprocess

import pytest

from ..conversation import write
from ..hook_host import SCHEMA, bare, hook_line, outside, rule_lines, run_hook, spawn, typed
from ..memories import configure
from ..places import private_path


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b" \n", b"{", b'{"prompt": "endpoint"', b"not json at all", b'{"prompt": "x\nendpoint"}'),
        *(b"[]", b"5", b"null", b'"endpoint"', b"{} {}", b"\x00", b"\xff\xfe{\x00}\x00"),
        *(b"[" * 100_000, b'{"a":' * 100_000),
    ],
    ids=lambda raw: raw[:12].decode("latin-1").encode("unicode_escape").decode(),
)
def test_bad_input_is_met_with_silence(host, raw):
    """Exit 0, nothing said on either stream, and nothing counted."""
    answer = run_hook(raw, "claude-code", "UserPromptSubmit", cwd=host.workspace.root)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert not os.path.exists(private_path(host.workspace, "sessions"))


def test_a_payload_that_is_no_utf_8_or_has_a_bom_is_read(host):
    """Bytes of another encoding cost themselves only."""
    cwd = json.dumps(host.workspace.root).encode()
    raw = b'\xef\xbb\xbf{"session_id": "s", "cwd": ' + cwd + b', "prompt": "caf\xe9 endpoint \xff"}'
    answer = spawn(raw, "claude-code", "UserPromptSubmit", cwd=host.workspace.root)
    assert (answer.code, answer.err) == (0, b"")
    assert rule_lines(answer, "API") == ["Version it."]


@pytest.mark.parametrize("key", ["session_id", "prompt", "transcript_path", "cwd", "prompt_id", "context_tokens"])
def test_a_field_of_another_type_counts_as_absent(host, key):
    """CARL ends with a traceback on a numeric prompt; here the rest of the payload still counts."""
    for number, value in enumerate([None, 5, [], {"a": 1}, True]):
        answer = host.prompt(**{"session_id": f"s{number}", key: value})
        assert rule_lines(answer, "GLOBAL") == ["Read first."]


HOSTILE_IDS = ("../../../x", "/etc/x", "..", "a/b\\c", "C:\\x", "nul\0byte", "x" * 5000, "\ud800", "日本", " ", "-")


@pytest.mark.parametrize("session", HOSTILE_IDS, ids=range(len(HOSTILE_IDS)))
def test_no_session_id_leads_out_of_the_folder(host, session):
    """CARL writes wherever ``../../../x`` leads; SYNAPSE falls silent. Here the state is kept, inside (parity)."""
    before = outside(host.workspace)
    assert host.prompt(session_id=session).block["constitution"]
    assert host.prompt(session_id=session).out == b""
    assert outside(host.workspace) == before
    assert len(os.listdir(private_path(host.workspace, "sessions"))) == 1


@pytest.mark.parametrize("session", [..., ""])
def test_without_a_session_id_every_block_is_whole(host, session):
    """No state, so no silence either; no file is made for nobody."""
    assert host.prompt("the endpoint", session_id=session).block["constitution"]
    assert rule_lines(host.prompt("the endpoint", session_id=session), "API") == ["Version it."]
    assert not os.path.exists(private_path(host.workspace, "sessions"))


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
    answer = run_hook(typed(host.workspace), *args, cwd=host.workspace.root)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_surplus_arguments_do_no_harm(host):
    """A host may append its own."""
    answer = spawn(typed(host.workspace), "claude-code", "UserPromptSubmit", "--more", "x", cwd=host.workspace.root)
    assert answer.block["constitution"]


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
    command = hook_line("claude-code", "UserPromptSubmit")
    closed = ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command]
    assert subprocess.run(closed, cwd=host.workspace.root, timeout=60).returncode == 0


def test_a_reader_that_hung_up_is_no_error(host):
    """The pipe is closed before the answer is written."""
    reading, writing = os.pipe()
    os.close(reading)
    command = hook_line("claude-code", "UserPromptSubmit")
    pipes = {"input": typed(host.workspace), "stdout": writing, "stderr": subprocess.PIPE}
    done = subprocess.run(command, cwd=host.workspace.root, timeout=60, **pipes)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("tokens", [10**400, 10**18, -(10**400), 2**63])
def test_a_usage_beyond_all_sense_is_a_bracket_nonetheless(host, tmp_path, tokens):
    """Of a transcript and of the status line's figures."""
    usage = {"type": "assistant", "message": {"model": "m", "usage": {"input_tokens": tokens}}}
    write(str(tmp_path / "transcript.jsonl"), json.dumps(usage) + "\n")
    write(host.workspace.cached("status", "s.json"), json.dumps({"used": tokens, "window": tokens}))
    answer = host.prompt("the endpoint", transcript_path=str(tmp_path / "transcript.jsonl"))
    SCHEMA.validate(answer.block)
    assert rule_lines(answer, "GLOBAL") == ["Read first."]


def test_a_hook_without_a_home_or_environment_speaks(host):
    """Nothing of the environment is needed."""
    answer = spawn(typed(host.workspace), "claude-code", "UserPromptSubmit", cwd=host.workspace.root, env=bare())
    assert rule_lines(answer, "API") == ["Version it."]


@pytest.mark.parametrize("name", ["session_id", "transcript_path", "prompt", "model"])
def test_half_a_character_in_a_payload_spoils_no_second_process(host, name, workspace):
    """JSON can spell what no file can hold; a job that meets it fails by itself, and the metrics would tell."""
    configure(workspace)
    answer = host.send("PreCompact", **{"trigger": "auto", name: "half \ud800"})
    assert (answer.code, answer.err) == (0, b"")
    with open(private_path(workspace, "metrics", "hook.jsonl"), encoding="utf-8") as file:
        assert [line for line in file if "crash" in line] == []
