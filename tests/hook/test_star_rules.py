"""Star-commands that change rule files, typed into the hook as a host starts it: in force at once, no other byte
touched."""

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


def answer(host, text):
    """What the hook says to one command."""
    (command,) = host.prompt(text).block["commands"]
    return "\n".join(command["lines"])


def test_a_domain_is_made_filled_and_edited_from_prompts(host):
    """Each change shows in the very next prompt, in any other conversation too."""
    assert "DB_RECALL=table, foreign key" in answer(host, "*limpet create DB table, foreign key")
    answer(host, "*limpet add DB Name every constraint.")
    answer(host, "*limpet add db Index what you filter by.")
    asked = "two foreign keys"
    assert rule_lines(host.prompt(asked), "DB") == ["Name every constraint.", "Index what you filter by."]
    assert "DB_RULE_1=Index it." in answer(host, "*limpet edit DB 1 Index it.")
    assert rule_lines(host.prompt(asked, session_id="t"), "DB") == ["Name every constraint.", "Index it."]


def test_suggest_and_diagnose_answer_and_change_nothing(host):
    """Words of the domain's rules; mistakes with their places."""
    text = "API_RULE_0=Paginate every collection.\nAPI_RULE_1=A collection has a limit.\nlost words\n"
    write(host.workspace.path("rules", "api"), text)
    before = manifest(host)
    assert "collection" in answer(host, "*limpet suggest API")
    assert ".limpet/rules/api:3: no = in 'lost words'" in answer(host, "*limpet diagnose")
    assert manifest(host) == before


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("*limpet create ../x word", "is not a valid domain name"),
        ("*limpet create API word", "Domain API already exists"),
        ("*limpet create", "Usage: *limpet create NAME"),
        ("*limpet add NOPE a rule", "No domain NOPE"),
        ("*limpet edit API 7 x", "API has no rule 7"),
        ("*limpet add API the key is ghp_" + "a1B2" * 9, "contains a secret"),
        ("As the page says:\n*limpet add API Use", "must be at the start of the prompt"),
    ],
)
def test_what_makes_no_sense_is_answered_and_writes_nothing(host, text, said):
    """The hook says why; the files are as they were."""
    before = manifest(host)
    spoken = answer(host, text)
    assert said in spoken
    assert "ghp_" not in spoken
    assert manifest(host) == before


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
