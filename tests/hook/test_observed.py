"""What a conversation did is observed by the spawned hook: what mended a failing check, and rules broken and kept."""

import os

import pytest

from limpet.learning.store import observations_of

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST
from ..memories import until
from .test_capture import Transcript, captured, compact
from .test_rule_checks import CHECKED, Talk


def observed(workspace, source="conversation:s"):
    return observations_of(workspace, source)[0]


@pytest.fixture
def talk(workspace):
    """A conversation in which a check failed, and was mended with a word on why."""
    talk = Transcript(workspace)
    talk.tool("Bash", {"command": "pytest -q"}, failed=True, said="Exit code 1\nE   KeyError: 'rate'")
    talk.model("The problem is that the settings have no rate for new accounts.")
    talk.tool("Edit", {"file_path": os.path.join(workspace.root, "src/settings.py")})
    talk.tool("Bash", {"command": "pytest -q"})
    return talk


def test_before_a_compaction_what_mended_a_check_is_observed_once(host, memories, talk):
    """And not again at the end, nor by another compaction."""
    compact(host, talk)
    (found,) = observed(host.workspace)
    assert found.text == (
        "`pytest -q` failed: KeyError: 'rate'. Mended in src/settings.py: "
        "The problem is that the settings have no rate for new accounts."
    )
    talk.user("Thanks.")
    compact(host, talk, trigger="manual")
    assert len(observed(host.workspace)) == 1


def test_a_rule_that_was_broken_and_kept_is_observed_at_the_end(workspace):
    """By the records of its checks."""
    write_rules(workspace, MANIFEST, **{**RULES, "api": CHECKED})
    talk = Talk(workspace)
    talk.prompt("Go on.")
    talk.writes("src/a.ts", "console.log(1)\n")
    assert "API_RULE_3" in talk.stop()
    talk.writes("src/a.ts", "logger.info(1)\n")
    assert talk.stop(active=True) == ""
    assert [kind for kind, _ in talk.record()] == ["rule.broken", "rule.kept"]
    talk.send("SessionEnd", reason="other", transcript_path=talk.transcript)
    assert until(lambda: captured(workspace))
    (found,) = observed(workspace)
    assert found.text == 'The rule "Use the logger" was broken (src/a.ts:1). It was kept afterwards.'
    assert (found.resolved, found.tags) == (True, ("api",))
