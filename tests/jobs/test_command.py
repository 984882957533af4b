"""Star-commands that write memories: the same use-cases as on the command line, in a person's name."""

import pytest

from limpet.jobs.command import run
from limpet.memory.model.entry import Query
from limpet.operations.memory.find import list_memories
from limpet.operations.memory.library import open_library
from limpet.operations.memory.view import describe_card

from ..leaks import TOKEN, leaks
from ..operations.callers import NOW, events, indexed, opened


def command(workspace, name, text):
    """The line that answers the person."""
    (line,) = run(workspace, {"command": name, "text": text, "session": "talk", "now": NOW})["lines"]
    return line


def entry(workspace):
    """The one memory there is."""
    (card,) = list_memories(opened(workspace), Query())[0].cards
    return open_library(opened(workspace)).show(card.id, count=False).entry


@pytest.mark.parametrize(
    ("name", "kind", "answer"), [("remember", "lesson", "Remembered as "), ("gotcha", "gotcha", "Gotcha ")]
)
def test_what_a_person_typed_is_durable_and_theirs(workspace, name, kind, answer):
    """All of it is the body, and the conversation is known."""
    line = command(workspace, name, "Redis holds the jobs")
    kept = entry(workspace)
    assert line == f"{answer}{kept.id}: Redis holds the jobs"
    assert (kept.type, kept.title, kept.body) == (kind, "Redis holds the jobs", "Redis holds the jobs")
    assert (kept.storage, kept.source, kept.confidence, kept.session) == ("durable", "person", 1.0, "talk")
    assert events(workspace) == [("memory.added", f"*{name}")]


def test_a_gotcha_by_a_star_command_is_not_graded_by_its_words(workspace):
    """Who types it in a hurry is not held to them."""
    command(workspace, "gotcha", "pytest leaks a password")
    assert (entry(workspace).category, entry(workspace).severity) == ("general", "warning")


def test_a_long_text_is_cut_for_the_title_only(workspace):
    """With an ellipsis."""
    command(workspace, "remember", "a word " * 40)
    kept = entry(workspace)
    assert (len(kept.title), kept.title[-1], len(kept.body)) == (120, "…", 279)


def test_what_is_forgotten_can_be_brought_back(workspace):
    """The answer says how."""
    command(workspace, "remember", "Redis holds the jobs")
    key = entry(workspace).id
    assert command(workspace, "forget", key) == f"Forgot {key}. Undo: `limpet memory undo {key}`"
    assert indexed(workspace) == []


def test_a_secret_is_neither_kept_nor_repeated(workspace):
    """In an error neither."""
    lines = [command(workspace, name, TOKEN) for name in ("remember", "forget", "gotcha")]
    assert leaks(workspace, *lines) == []
    assert lines[1].startswith("Nothing was changed: ")


def test_cards_of_star_commands_look_like_any_other(workspace):
    """Programs see no difference."""
    command(workspace, "remember", "Redis holds the jobs")
    (card,) = list_memories(opened(workspace), Query())[0].cards
    assert describe_card(workspace, card)["owner"] == "shared"
