"""The start of a conversation, its resumption and its forks (decision 5)."""

import os

import pytest

from limpet.engine.event_context import Client

from ...conversation import Conversation, write, write_rules
from ...places import private_path


@pytest.fixture
def talking(workspace):
    """A conversation in a project with one global rule."""
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **{"global": "GLOBAL_RULE_0=Read first.\n"})
    return Conversation(workspace)


@pytest.mark.parametrize("source", ["startup", "clear", "", "of-a-later-version"])
def test_a_start_sends_the_stable_part_and_the_first_prompt_does_not(talking, source):
    """The first prompt sends it only where no start did."""
    block = talking.start(source)
    assert block["constitution"] and block["rules"]
    assert talking.prompt() is None


def test_a_start_is_fresh_whatever_the_transcript_says(talking):
    """Nothing is used yet (decision 3)."""
    talking.use(190_000)
    block = talking.start()
    assert (block["bracket"], block["remaining"]) == ("FRESH", None)


def test_a_resumed_conversation_hears_only_what_changed(talking):
    """Silence, until a rule was edited in between."""
    talking.start()
    talking.prompt()
    assert talking.start("resume") is None
    write(talking.workspace.path("rules", "global"), "GLOBAL_RULE_0=Read twice.\n")
    assert talking.start("resume")["rules"][0]["lines"] == ["Read twice."]
    assert talking.start("resume") is None


def test_a_resumed_conversation_is_as_full_as_it_was(talking):
    """The transcript's figure holds on resume."""
    talking.start()
    talking.use(160_000)
    assert talking.start("resume") is None
    assert talking.state["bracket"] == "CRITICAL"


@pytest.mark.parametrize("name", ["limpet", "/opt/R&D/limpet"])
def test_a_fork_whose_words_hold_the_stable_part_hears_nothing(talking, name):
    """A forked conversation has a new id and its parent's transcript, in which our command has the name that runs."""
    talking.client = Client(name=lambda: name)
    talking.start()
    talking.log({"type": "attachment", "content": talking.text})
    fork = Conversation(talking.workspace, "fork", talking.client)
    os.rename(talking.transcript, fork.transcript)
    assert fork.start("fork") is None
    assert fork.prompt() is None


def test_a_fork_from_before_the_product_hears_the_stable_part(talking):
    """What is not in the transcript has to be said."""
    talking.log({"type": "user", "content": "hello"})
    assert talking.start("fork")["constitution"]


def test_a_start_that_fires_twice_speaks_once(talking):
    """Several hosts read one another's hooks (decision 12)."""
    talking.start()
    talking.now -= 58
    assert talking.start() is None


def test_an_unknown_session_speaks_at_every_start(workspace):
    """Without an id nothing is known and nothing is kept."""
    nobody = Conversation(workspace, "")
    assert nobody.start()["constitution"] and nobody.start()["constitution"]
    assert not os.path.exists(private_path(workspace, "sessions"))


def test_a_start_records_what_it_measured(talking):
    """Usage, bracket and model stand in the session's file from the start."""
    talking.start(model="some-model")
    assert (talking.state["bracket"], talking.state["model"]) == ("FRESH", "some-model")
    assert talking.state["usage"]["source"] == "start"
    assert talking.state["prompt_count"] == 0
