"""Star-commands that change rule files, by the hook: in force at once, no other byte touched."""

import pytest

from ..conversation import write
from ..hook_host import rule_lines
from ..leaks import KNOWN, SECRETS, holding, know_secret, leaks


def manifest(host):
    with open(host.workspace.path("rules", "manifest"), "rb") as file:
        return file.read()


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
