"""``limpet guard allow``: a person's word lets one act through, once."""

import json
import os
import time
from pathlib import Path

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, append_event
from limpet.ground.storage.files import read_text
from limpet.ground.trust.allowance import DECIDED, allowance_path, use_allowance
from limpet.ground.trust.approvals import HOUR
from limpet.ground.workspace import workspace_at
from limpet.operations.guard import read_guard_decisions
from limpet.operations.guard_rights import allow_once
from limpet.rules.plan.sources import shipped_constitution

from ...conversation import write
from ...operations.callers import agrees
from ...places import private_path
from ...tool_calls import at_work

WHY = "hotfix, agreed with Ana"


@pytest.fixture
def client(workspace):
    return at_work(workspace)


@pytest.fixture
def denied(client):
    assert client.bash("git push")[0] == "deny"
    (decision,) = read_guard_decisions(client.workspace, 5)
    return decision


def allow(workspace, name, now=None):
    return allow_once(workspace, agrees, name, WHY, time.time() if now is None else now, "somebody")


def test_a_person_at_a_terminal_lets_the_act_through_once(client, denied, call, at_terminal):
    """The same act, and no other; the log shows the word and what it let through."""
    done = at_terminal("guard", "allow", denied.id, "--reason", WHY)
    assert done.returncode == 0, done.stderr
    assert f"Let dev do once: git push ({WHY})" in done.stderr
    assert done.stdout.splitlines()[0] == "Allowed once within the next hour: git push"
    assert client.bash("git push origin other")[0] == "deny"
    assert client.bash("git push") == ("", "")
    assert client.bash("git push")[0] == "deny"
    entries = json.loads(call("guard", "log", "--json").stdout)
    assert [one["answer"] for one in entries] == ["deny", "once", "deny", "allow", "deny"]
    assert (entries[1]["reason"], entries[1]["record"], entries[3]["record"]) == (WHY, denied.id, denied.id)


def test_no_agent_allows_itself_anything(denied, run):
    """Without a terminal nobody is asked."""
    done = run("guard", "allow", denied.id, "--reason", WHY)
    assert done.returncode == 1 and "A person's word is needed: Let dev do once: git push" in done.stderr


def test_a_word_ends_after_an_hour(client, denied):
    allow(client.workspace, denied.id, time.time() - HOUR)
    assert client.bash("git push")[0] == "deny"


def test_a_word_counts_in_its_project_only(client, denied, tmp_path):
    """A file that was copied, or edited, is nobody's word."""
    allow(client.workspace, denied.id)
    state, act = client.workspace.state, denied.data["digest"]
    (tmp_path / "other").mkdir()
    other = workspace_at(str(tmp_path / "other")).state
    path, copy = allowance_path(state, act), allowance_path(other, act)
    raw = Path(path).read_bytes()
    os.makedirs(os.path.dirname(copy))
    with open(copy, "wb") as file:
        file.write(raw)
    assert use_allowance(other, act, time.time()) is None
    with open(path, "wb") as file:
        file.write(raw.replace(WHY.encode(), b"because I say so"))
    assert use_allowance(state, act, time.time()) is None


def test_a_record_that_somebody_edited_is_refused(client, denied):
    """What a person reads is what they allow."""
    folder = private_path(client.workspace, "events")
    (name,) = os.listdir(folder)
    path = os.path.join(folder, name)
    text = read_text(path)
    write(path, text.replace('"act": "git push"', '"act": "git status"'))
    with pytest.raises(LimpetError, match="did not write this record"):
        allow(client.workspace, denied.id)


def test_what_cannot_be_allowed(client, denied, run):
    """An unknown decision, no reason, and a project that nobody trusts."""
    with pytest.raises(LimpetError, match="Unknown decision"):
        allow(client.workspace, "0000")
    with pytest.raises(LimpetError, match="A reason is needed"):
        allow_once(client.workspace, agrees, denied.id, " ", time.time(), "somebody")
    run("trust", "--revoke", "--yes")
    with pytest.raises(LimpetError, match="not trusted"):
        allow(client.workspace, denied.id)


def test_the_log_of_a_person_is_a_table(client, denied, call):
    """With the id that ``guard allow`` takes first, which no width cuts."""
    heading, row = call("guard", "log").stdout.splitlines()
    assert heading.split() == ["id", "answer", "time", "agent", "rule", "act"]
    words = row.split()
    assert words[:2] + words[4:] == [denied.id, "deny", "dev", "authority.push", "git", "push"]


ACTOR = Actor(writer="claude-code hook", now=1_790_000_000.0, retention={"events_bytes": 5_000_000, "rotated_files": 3})


def shown(call, *words):
    return json.loads(call("guard", "explain", *words, "--json").stdout)


def test_every_article_in_force_is_shown(workspace, call):
    """The project's own too, which bind by words only."""
    write(workspace.path("constitution.md"), "## Articles\n\n### XVII. Ours (WARN)\n- MUST x.\n")
    found = shown(call, "constitution")
    assert [one["numeral"] for one in found] == [*(one.numeral for one in shipped_constitution().articles), "XVII"]
    assert found[-1]["checks"] == [{"kind": "words", "name": "All of it.", "last": ""}]


def test_a_check_that_fired_says_when(workspace, call):
    """By the rule's id in the decision; the newest counts."""
    for now in (1_780_000_000.0, 1_790_000_000.0):
        append_event(workspace.shared, ACTOR.replace(now=now), DECIDED, {"rule": "authority.push", "answer": "deny"})
    last = {check["name"]: check["last"] for check in shown(call, "I")[0]["checks"]}
    assert last["authority.push"].startswith("2026-09-21T")
    assert last["authority.code"] == ""


def test_a_record_of_the_work_counts_too(workspace, call):
    """A gate that was scored is a check of its article."""
    append_event(workspace.shared, ACTOR, "work.scored", {"agent": "dev"})
    assert any(check["last"] for check in shown(call, "ii")[0]["checks"])


def test_an_unknown_article_is_said(workspace, call):
    """In one line."""
    assert "Unknown rule: XL" in call("guard", "explain", "XL").stderr


def test_an_article_is_found_by_its_title(call):
    """As it stands in the constitution."""
    first = shown(call, "I")[0]
    assert shown(call, first["title"].lower()) == [first]
