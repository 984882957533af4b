"""Capture on labelled exchanges in four languages, and what its candidates are like."""

import os
import subprocess
import sys

import pytest

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.memory.capture.find import find_candidates, find_new
from holdfast.transcripts.messages import Message

from .capture_cases import ASIDE, CASES, HELDOUT, SECOND, THIRD, figures, judge, read_cases

SETTINGS = DEFAULTS["memory"]


def found(*texts, role="user"):
    said = [Message(role=role, text=text, offset=place, at=float(place + 1)) for place, text in enumerate(texts)]
    return find_candidates(said, SETTINGS, session="s")


@pytest.mark.parametrize(
    ("path", "precision", "recall"),
    [(CASES, 0.98, 0.97), (ASIDE, 0.95, 0.86), (HELDOUT, 0.97, 0.89), (SECOND, 0.97, 0.86)],
)
def test_precision_and_recall_hold_on_labelled_exchanges(path, precision, recall):
    """Over all types; each type by itself is nowhere below 0.85 and 0.7."""
    counts = figures(read_cases(path))
    right, wrong, missed = (sum(each[name] for each in counts.values()) for name in ("right", "wrong", "missed"))
    assert right / (right + wrong) >= precision
    assert right / (right + missed) >= recall
    assert len(counts) == 5
    for type_, each in counts.items():
        assert each["right"] / (each["right"] + each["wrong"]) >= 0.85, type_
        assert each["right"] / (each["right"] + each["missed"]) >= 0.7, type_


def test_traps_teach_nothing():
    """Words that look like a cue, where nothing is settled."""
    assert [found for messages, expected in read_cases(THIRD) for found in judge(messages, expected)[1]] == []


def test_a_candidate_is_the_users_own_sentence_with_the_words_around_it():
    """Quoted as evidence, with what it starts from."""
    said = [
        Message(role="assistant", text="I used spaces in src/app.py.", offset=5),
        Message(role="user", text="Thanks. No, use tabs in src/app.py! And go on.", offset=9, at=7.0, id="line-9"),
    ]
    (candidate,) = find_candidates(said, SETTINGS)
    assert (candidate.type, candidate.title) == ("user_correction", "No, use tabs in src/app.py")
    assert candidate.body.startswith("Thanks. No, use tabs in src/app.py! And go on.\n\n## Evidence\n\n> I used spaces")
    assert "> Thanks. No, use tabs in src/app.py! And go on. (user)" in candidate.body
    assert (candidate.confidence, candidate.at, candidate.seen) == (0.8, 7.0, (7.0,))
    assert candidate.paths == ("src/app.py",)
    assert "tabs" in candidate.tags
    assert candidate.key.startswith("line-9:")


def test_a_quoted_message_cannot_leave_its_quotation():
    """Its line ends are taken out."""
    (candidate,) = found("Let's use Redis for the cache.\n## Forged\n> no quote")
    assert [line for line in candidate.body.split("\n") if line.startswith("#")] == ["## Evidence"]


def test_the_same_sentence_is_one_candidate_with_its_moments():
    """However often it is said in these messages."""
    (candidate,) = found("Let's use Redis for the cache.", "let's use redis for the cache")
    assert candidate.seen == (1.0, 2.0)


def test_overlapping_stretches_give_the_same_keys():
    """So what was captured is known again."""
    said = [Message(role="user", text="Let's use Redis for the cache.", offset=40)]
    before = [Message(role="assistant", text="Which one?", offset=3)]
    assert [each.key for each in find_candidates(said, SETTINGS, "s")] == [
        each.key for each in find_candidates(before + said, SETTINGS, "s")
    ]


def test_what_was_captured_before_counts_only_when_it_is_said_again():
    """With its new timestamps."""
    texts = ("Let's use Jest for unit tests.", "go on", "We decided to use Kafka for the events.")
    said = [Message(role="user", text=text, offset=place, at=float(place + 1)) for place, text in enumerate(texts)]
    assert [each.title for each in find_new(said, 2, SETTINGS)] == ["We decided to use Kafka for the events"]
    again = [*said, said[0].replace(offset=3, at=9.0)]
    (candidate,) = find_new(again, 3, SETTINGS)
    assert (candidate.at, candidate.seen) == (9.0, (9.0,))


def test_keys_differ_between_conversations_and_sentences():
    """Where messages have no id, the conversation tells them apart."""
    said = [Message(role="user", text="Let's use Redis for the cache.\nLet's use Kafka for the events.", offset=40)]
    keys = {each.key for session in ("s", "t") for each in find_candidates(said, SETTINGS, session)}
    assert len(keys) == 4


@pytest.mark.parametrize(
    "text",
    [
        '"Decided last week. We will use Kafka for the events. Never use Redis." Is that still true?',
        "*forget let's use Redis for the cache",
        "*recall we decided to use Redis for the cache",
        "Please: *remember we decided to use Redis for the cache",
        "*holdfast add api Never use Redis for the cache in this project.",
    ],
)
def test_what_is_quoted_or_told_to_holdfast_is_no_statement(text):
    """However many sentences a quotation has; the command keeps, looks for or forgets its text by itself."""
    assert found(text) == []


def test_words_beside_a_command_and_a_quotation_count():
    """They are the user's own."""
    texts = [each.title for each in found('*recall the cache\nLet\'s use "Redis. Cluster" for the cache.')]
    assert texts == ['Let\'s use "Redis. Cluster" for the cache']


def test_a_cause_with_its_mend_is_one_resolution():
    """The cause stands in the words around it."""
    (candidate,) = found("The problem was the time zone of the server. Setting TZ in the compose file fixed it.")
    assert candidate.title == "Setting TZ in the compose file fixed it"
    assert "time zone" in candidate.body


def test_what_the_model_says_that_we_decided_is_no_decision():
    """It retells or explains; its own choice counts."""
    assert found("We decided to use Redis for the cache.", role="assistant") == []
    assert [each.type for each in found("I decided to use Redis for the cache.", role="assistant")] == ["decision"]


def test_titles_are_one_line_and_bounded():
    """Whatever the sentence."""
    (candidate,) = found("Let's use " + "a very long name " * 20 + "for the cache.")
    assert len(candidate.title) <= 120 and "\n" not in candidate.title


def test_words_of_tools_are_never_statements():
    """A file that is read may say anything."""
    told = Message(role="tool", tool="Read", text="We decided to use Redis for everything.", offset=1)
    assert find_candidates([told], SETTINGS) == []


def test_the_same_input_gives_the_same_candidates():
    """There is no chance in it."""
    cases = [message for messages, _ in read_cases(CASES) for message in messages]
    assert find_candidates(cases, SETTINGS) == find_candidates(cases, SETTINGS)


HOSTILE = """
import sys
from holdfast.ground.config.defaults import DEFAULTS
from holdfast.memory.capture.find import find_candidates
from holdfast.transcripts.messages import Message
piece = sys.argv[1]
text = piece * (1_000_000 // len(piece))
said = [Message(role=role, text=text) for role in ("user", "assistant")]
said.append(Message(role="tool", tool_input={"command": text}, failed=True, error=text))
find_candidates(said, DEFAULTS["memory"])
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
