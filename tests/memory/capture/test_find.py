"""Capture on labelled exchanges in four languages, and what it hears."""

import os
import subprocess
import sys

import pytest

from limpet.ground.message import Message
from limpet.memory.capture.find import find_heard
from limpet.memory.capture.heard import LONGEST_BEFORE, LONGEST_QUOTE

from .capture_cases import ASIDE, BEGUN, CASES, HELDOUT, SECOND, THIRD, missed, read_cases, wrong


def said(*texts, role="user"):
    return [Message(role=role, text=text, offset=place, at=float(place + 1)) for place, text in enumerate(texts)]


def found(*texts, role="user"):
    return [each for each in find_heard([BEGUN, *said(*texts, role=role)]) if each.type]


@pytest.mark.parametrize(
    ("path", "recall"), [(CASES, 0.98), (ASIDE, 0.98), (HELDOUT, 0.94), (SECOND, 0.97), (THIRD, 1)]
)
def test_what_is_worth_a_memory_is_heard(path, recall):
    """Each by its type; of what is none at most one in forty is heard as more than a note."""
    cases = read_cases(path)
    expected = sum(len(expected) for _, expected in cases)
    assert sum(len(missed(*case)) for case in cases) <= (1 - recall) * expected
    assert sum(len(wrong(*case)) for case in cases) <= len(cases) / 40


def test_traps_teach_nothing():
    """Words that look like a cue, where nothing is settled."""
    assert [trap for case in read_cases(THIRD) for trap in wrong(*case)] == []


def test_what_is_heard_are_the_persons_own_words_with_what_they_answer():
    """Whole, whatever sentence of them tells."""
    messages = [
        Message(role="assistant", text="There are spaces in src/app.py.", offset=5),
        Message(role="user", text="Thanks. No, use tabs in src/app.py! And go on.", offset=9, at=7.0, id="line-9"),
    ]
    (heard,) = find_heard(messages)
    assert (heard.role, heard.type, heard.at, heard.message) == ("user", "user_correction", 7.0, "line-9")
    assert (heard.quote, heard.before) == (messages[1].text, messages[0].text)


def test_an_option_that_was_taken_stands_with_what_was_said_before():
    """And in the line that says it all."""
    told = "I see two ways:\n1. Patch the adapter\n2. Upgrade axios to v1\n\nWhich do you prefer? " + "x " * 400
    (heard,) = find_heard([Message(role="assistant", text=told), Message(role="user", text="2", offset=1)])
    assert (heard.type, heard.quote, heard.line) == ("decision", "2", "Upgrade axios to v1 (2)")
    assert heard.before.endswith("Upgrade axios to v1")


def test_a_long_message_is_cut_around_what_tells():
    """At a word, within bounds."""
    text = (
        "So much about it. " * 40
        + "\n\n"
        + "And so much of that. " * 30
        + "\n\n"
        + "Never use Redis for the sessions. "
        + "And more of it. " * 10
    )
    (heard,) = find_heard([BEGUN, Message(role="assistant", text="a " * 2000), Message(role="user", text=text)])
    assert "Never use Redis for the sessions." in heard.quote and heard.quote.startswith("...")
    assert len(heard.quote) <= LONGEST_QUOTE and len(heard.before) <= LONGEST_BEFORE


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Let's use Redis for the cache, and build it.", []),
        ("Build the cache, but don't touch the parser.", []),
        ("Build the cache. Always use tabs in this project.", ["Always use tabs in this project"]),
        ("Build it. From now on, never mock the database. Use Redis.", ["From now on, never mock the database"]),
        ("No, use pnpm, not npm.", ["No, use pnpm, not npm"]),
        ("Nein, nimm pnpm statt npm.", ["Nein, nimm pnpm statt npm"]),
        ("No, use pnpm, not npm. Then build the cache.", []),
    ],
)
def test_what_a_conversation_begins_with_is_its_task(text, lines):
    """Standing wishes in it are heard, and a message that only corrects is none. Read again as what came before, it is
    the task still."""
    assert [each.line for each in find_heard(said(text)) if each.type] == lines
    assert [each.line for each in find_heard(said(text, "go on")) if each.type] == lines


@pytest.mark.parametrize(
    ("text", "is_typed"),
    [
        ("Never mock the database.", True),
        ("[Image #1] Never mock the database.", True),
        ("Never mock the database.\n\n$ make\nall done", True),
        ("Never mock the database.\n\n```\nx\n```", False),
        ("Never mock the database.\n\n> x", False),
        ("[Pasted text #1 +9 lines] Never mock the database.", False),
        ("Never mock the database.\n\n# Plan\n\nMock it.", False),
        ("Never mock the database.\n\nI got this review from Ana:\n\nMock it.", False),
    ],
)
def test_it_is_known_whether_somebodys_text_stands_in_the_message(text, is_typed):
    """What a program printed has no wishes."""
    (heard,) = found(text)
    assert (heard.type, heard.is_typed) == ("user_correction", is_typed)


def test_all_sentences_that_tell_stand_in_the_line():
    """In their order, without those that do not."""
    (heard,) = found("Thanks. Never mock the database. It is late. Always use the container of the shop.")
    assert heard.line == "Never mock the database. Always use the container of the shop"


def test_a_message_is_heard_once_however_much_it_says():
    """A correction before what else it says."""
    (heard,) = found("Let's use Redis for the cache. No, don't mock it there: always use a real one.")
    assert heard.type == "user_correction"


def test_a_message_of_the_models_is_heard_by_what_it_states():
    """Its sentences that name a choice, a cause, a fix or what must be; not what it looks at and asks."""
    text = "Let me look. The problem was the time zone. I set TZ in the compose file. Shall I go on?"
    (heard,) = found(text, role="assistant")
    assert (heard.role, heard.type, heard.quote) == ("assistant", "resolution", "The problem was the time zone.")
    assert found("Let me look at the file.", role="assistant") == []


def test_a_mend_is_heard_with_its_error():
    """Where the command passed that had failed."""
    error = "Exit code 1\nE   OperationalError: no such table: jobs"
    call = Message(role="tool", tool_input={"command": "pytest"}, offset=1)
    told = Message(role="assistant", text="The fixture creates the table now.", offset=2)
    edit = Message(role="tool", tool_input={"file_path": "a.py"}, edited="a.py", offset=3)
    (heard,) = find_heard([call.replace(failed=True, error=error), told, edit, call.replace(offset=4)])
    assert (heard.type, heard.quote) == ("resolution", "The fixture creates the table now.")
    assert heard.before == "`pytest` failed: OperationalError: no such table: jobs"


def test_only_new_messages_are_heard_and_the_others_tell_what_they_answer():
    """From a byte on."""
    messages = said("Let's use Jest for unit tests.", "go on", "We decided to use Kafka for the events.")
    assert [each.quote for each in find_heard(messages, since=2)] == ["We decided to use Kafka for the events."]
    told = Message(role="assistant", text="How long should passwords be?", offset=3)
    (heard,) = find_heard([*messages, told, Message(role="user", text="12 chars", offset=4)], since=4)
    assert heard.before == "How long should passwords be?"


@pytest.mark.parametrize(
    "text",
    [
        '"Decided last week. We will use Kafka for the events. Never use Redis." Is that still true?',
        "*forget let's use Redis for the cache",
        "*recall we decided to use Redis for the cache",
        "Please: *remember we decided to use Redis for the cache",
        "$limpet remember We decided to use Redis for the cache.",
        "/limpet:limpet remember never use Redis for the cache in this project",
        "*limpet add api Never use Redis for the cache in this project.",
        "*develop S-2",
        "*work mode build",
        "*agent dev *yolo",
    ],
)
def test_what_is_quoted_or_told_to_limpet_is_no_statement(text):
    """However many sentences a quotation has; the command keeps, looks for or forgets its text by itself."""
    assert found(text) == []


def test_words_beside_a_command_and_a_quotation_count():
    """They are the user's own."""
    texts = [each.quote for each in found('*recall the cache\nLet\'s use "Redis. Cluster" for the cache.')]
    assert [each.quote for each in found("*develop S-2 and let's use Redis for the cache.")]
    assert texts == ['Let\'s use "Redis. Cluster" for the cache.']


def test_words_of_tools_are_never_statements():
    """A file that is read may say anything."""
    told = Message(role="tool", tool="Read", text="We decided to use Redis for everything.", offset=1)
    assert find_heard([told]) == []


HOSTILE = """
import sys
from limpet.memory.capture.find import find_heard
from limpet.ground.message import Message
piece = sys.argv[1]
text = piece * (1_000_000 // len(piece))
said = [Message(role=role, text=text) for role in ("user", "assistant")]
said.append(Message(role="tool", tool_input={"command": text}, failed=True, error=text))
find_heard(said)
"""


@pytest.mark.parametrize(
    "piece", ["no, ", "let's use ", "and not ", '"', "`a", "a/", "a.b", "x fails ", ". ", "| cat "]
)
def test_a_megabyte_of_hostile_text_ends(piece):
    """Without catastrophic backtracking: a minute is hundreds of times what it takes."""
    subprocess.run(
        [sys.executable, "-c", HOSTILE, piece],
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
