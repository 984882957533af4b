"""Star-commands that change rule files, by the hook: in force at once, no other byte touched."""

import pytest

from ..conversation import write
from ..hook_host import rule_lines
from ..leaks import KNOWN, SECRETS, holding, know_secret, leaks

ODD = {
    "crlf": (b"\r\n", b"# mine\r\nAPI_RECALL = endpoint\t\r\n\r\n\tGLOBAL_ALWAYS_ON=true\r\nCOMMANDS_STATE=active"),
    "cr": (b"\r", b"# mine\rAPI_RECALL=endpoint\r\rGLOBAL_ALWAYS_ON=true\rCOMMANDS_STATE=active\r"),
    "mixed": (b"\n", b"\xef\xbb\xbfAPI_RECALL=old\nAPI_RECALL=endpoint\r\n# mine \nCOMMANDS_STATE=active\r# end"),
    "junk": (b"\n", b"no divider\n  API_RECALL=endpoint \nUNKNOWN=1\n\n\nCOMMANDS_STATE=active\n\n\n"),
}
"""By what is odd in it: the line end of what is added, and the manifest."""


def manifest(host):
    with open(host.workspace.path("rules", "manifest"), "rb") as file:
        return file.read()


@pytest.mark.parametrize(("end", "raw"), ODD.values(), ids=ODD)
def test_a_switch_there_and_back_adds_its_own_line_and_no_other_byte(host, run, end, raw):
    """Line ends of any kind, tabs, a byte order mark, doubled keys, junk, no final newline."""
    write(host.workspace.path("rules", "manifest"), raw)
    run("rules", "off", "API")
    off = manifest(host)
    assert rule_lines(host.prompt("the endpoint"), "API") is None
    run("rules", "on", "API")
    on = manifest(host)
    assert rule_lines(host.prompt("the endpoint", session_id="t"), "API") == ["Version it."]
    assert on == off.replace(b"API_STATE=inactive", b"API_STATE=active") != off
    assert on.replace(b"API_STATE=active" + end, b"") == raw


TYPED = ("create NEW", "create NEW token,", "create", "add API Use", "edit API 0 Use", "suggest", "add")
PASSWORD = "password=hunter2hunter2"


@pytest.mark.parametrize(
    ("typed", "secret"), [*((typed, PASSWORD) for typed in TYPED), *(("add API Use", secret) for secret in SECRETS)]
)
def test_a_secret_is_refused_and_not_said_again(host, typed, secret):
    """Neither in a keyword nor in a rule or a name: not in the files, the plan, the block, nor what is kept of it."""
    know_secret(host.workspace.root)
    before = manifest(host)
    told = host.prompt(f"*limpet {typed} {secret}")
    assert secret.encode() not in told.out and b"hunter2hunter2" not in told.out
    assert leaks(host.workspace) == [] and holding(host.workspace, "hunter2hunter2") == []
    assert manifest(host) == before


def test_a_value_of_env_in_a_rule_by_hand_is_not_sent(host):
    """It stays in the file that a person wrote, and goes neither into the plan nor into the block."""
    know_secret(host.workspace.root)
    path = host.workspace.path("rules", "api")
    write(path, f"API_RULE_0=The database opens with {KNOWN}.\n")
    write(host.workspace.path("constitution.md"), f"### XVII. The {KNOWN} (WARN)\n- MUST use {KNOWN}.\n")
    answers = [host.prompt("the endpoint"), host.send("SessionStart", source="startup")]
    assert rule_lines(answers[0], "API") == ["The database opens with [redacted:known-secret]."]
    assert sorted(leaks(host.workspace, *(each.out.decode() for each in answers))) == sorted(
        (path, host.workspace.path("constitution.md"))
    )
