"""``limpet constitution``: what holds agents to each article, and when that last fired."""

import json

from limpet.ground.event_log.files import Actor, append_event
from limpet.ground.trust.allowance import DECIDED
from limpet.rules.plan.sources import shipped_constitution

from ...conversation import write

ACTOR = Actor(writer="claude-code hook", now=1_790_000_000.0, retention={"events_bytes": 5_000_000, "rotated_files": 3})


def shown(call, *words):
    return json.loads(call("constitution", *words, "--json").stdout)


def test_every_article_in_force_is_shown(workspace, call):
    """The project's own too, which bind by words only."""
    write(workspace.path("constitution.md"), "## Articles\n\n### XVII. Ours (WARN)\n- MUST x.\n")
    found = shown(call)
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


def test_people_get_a_table(workspace, call):
    """An article's name once, a line for each check."""
    lines = call("constitution", "XIII").stdout.splitlines()
    assert lines[0].split() == ["article", "severity", "last", "by", "check"]
    assert lines[1].split() == ["XIII.", "Memory", "governance", "BLOCK", "never", "guard", "private.memory"]
    assert lines[-1].split()[:2] == ["words", "only"]


def test_an_unknown_article_is_said(workspace, call):
    """In one line."""
    assert "there is no article XL" in call("constitution", "XL").stderr
