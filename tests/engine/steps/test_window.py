"""Compaction: announced, lost, given up; only a confirmed one counts, and once (decision 8)."""

import pytest

from ...conversation import Conversation, write_rules


@pytest.fixture
def talking(workspace):
    """A conversation that is nearly full and has heard its rules."""
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\n",
        **{"global": "GLOBAL_RULE_0=Read first.\n", "api": "API_RULE_0=Version it.\n"},
    )
    talking = Conversation(workspace)
    talking.start()
    talking.prompt("the endpoint")
    talking.use(190_000)
    return talking


def compactions(talking):
    return talking.state["compactions"]


def test_after_a_compaction_all_is_said_again_and_the_bracket_is_fresh(talking):
    """The old figure is void although the transcript still ends with it (decision 3)."""
    talking.send("pre_compact", source="auto")
    block = talking.start("compact")
    assert (block["bracket"], block["remaining"]) == ("FRESH", None)
    assert block["constitution"] and block["rules"]
    assert talking.state["bracket"] == "FRESH"
    block = talking.prompt("the endpoint")
    assert [rules["domain"] for rules in block["rules"]] == ["API"]
    assert block["bracket"] == "FRESH"


def test_the_events_around_one_compaction_count_once(talking):
    """Claude Code tells of it three times, and its transcript a fourth."""
    talking.send("pre_compact", source="manual")
    talking.start("compact")
    talking.send("post_compact", source="manual")
    talking.bound()
    for _ in range(3):
        talking.prompt()
    assert compactions(talking) == 1


def test_a_start_that_comes_after_the_end_counts_no_second_time(talking):
    """Codex CLI tells of the end first, and starts anew with the next prompt, or where it resumes a conversation."""
    talking.send("pre_compact", source="auto")
    talking.send("post_compact", source="auto")
    assert talking.start("resume")["constitution"]
    assert talking.start("compact") is None
    talking.bound()
    assert [rules["domain"] for rules in talking.prompt("the endpoint")["rules"]] == ["API"]
    assert compactions(talking) == 1


def test_a_compaction_that_only_the_end_told_of_counts(talking):
    """A host without a session start after it."""
    talking.send("pre_compact", source="auto")
    talking.send("post_compact", source="auto")
    assert compactions(talking) == 1
    assert talking.prompt()["constitution"]


def test_a_compaction_that_only_the_transcript_tells_of_counts_once(talking):
    """Even when the user types several times before the model answers."""
    talking.bound()
    assert talking.prompt()["constitution"]
    assert [talking.prompt() for _ in range(3)] == [None, None, None]
    assert compactions(talking) == 1


def test_a_marker_without_a_compaction_is_void(talking):
    """The user gave it up: nothing is said again, nothing counted."""
    talking.send("pre_compact", source="manual")
    assert talking.state["marker"]["confirmed"] is False
    block = talking.prompt()
    assert (block["bracket"], block["constitution"]) == ("CRITICAL", [])
    assert (compactions(talking), talking.state["marker"]) == (0, None)


def test_a_compaction_given_up_right_after_another_counts_neither_twice(talking):
    """The first one's boundary is seen only later, and the second one's marker must not hide that it was told."""
    talking.send("pre_compact", source="auto")
    talking.start("compact")
    talking.bound()
    talking.send("pre_compact", source="manual")
    assert talking.prompt() is None
    assert compactions(talking) == 1


def test_two_compactions_count_two(talking):
    """One after the other, with an answer in between."""
    for _ in range(2):
        talking.send("pre_compact", source="auto")
        assert talking.start("compact")["constitution"]
        talking.bound()
        talking.send("post_compact", source="auto")
        talking.use(190_000)
        talking.prompt()
    assert compactions(talking) == 2
