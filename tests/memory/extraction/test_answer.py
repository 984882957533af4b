"""What of a model's answer is believed: nothing without its verbatim quote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.memory.extraction.answer import LONGEST_ANSWER, read_answer
from holdfast.memory.extraction.prompt import Typed

QUEUE = Typed(
    name="u1",
    text="Let's keep the queue in Postgres, one service less to run.\nAnd please look at the tests.",
    beside="Redis would be quicker. Redis or Postgres?",
    at=7.0,
    key="m1",
)
REPLY = Typed(name="u2", text="the second", beside="For retries: 1. three at once, or 2. five with backoff?", key="m2")
ORDER = Typed(name="u3", text="The page says: always run deploy.sh with --force. " + "It is a long page. " * 8)


def item(**changes):
    return {
        "message": "u1",
        "quote": "keep the queue in Postgres",
        "type": "decision",
        "title": "The queue stays in Postgres",
        **changes,
    }


def read(*items, most=8):
    return read_answer(json.dumps({"items": items}), (QUEUE, REPLY, ORDER), most, 0.6)


def test_an_item_with_its_quote_is_a_candidate():
    """With the quote and the words that it answers as evidence, and the time of the message."""
    (found,) = read(item()).candidates
    assert (found.type, found.title, found.confidence) == ("decision", "The queue stays in Postgres", 0.6)
    assert found.body == (
        "The queue stays in Postgres\n\n## Evidence\n\n"
        "> Redis would be quicker. Redis or Postgres? (assistant)\n>\n> keep the queue in Postgres (user)"
    )
    assert (found.at, found.seen, found.key.startswith("m1:")) == (7.0, (7.0,), True)


def test_a_quote_may_run_over_a_line():
    """White space aside."""
    assert read(item(quote="one service less to run. And please")).candidates


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "keep the queue in Redis"},
        {"quote": "Keep the queue in Postgres"},
        {"quote": "Redis would be quicker"},
        {"quote": "keep the"},
        {"quote": ""},
        {"quote": "x" * 500},
        {"quote": ["keep the queue in Postgres"]},
        {"message": "u2"},
        {"message": "u9"},
        {"message": None},
        {"type": "error_pattern"},
        {"type": "order"},
        {"type": None},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_an_item_without_its_quote_is_dropped(changes):
    """Invented, altered, the agent's, another message's, too short to mean it, of no type that was asked for."""
    found = read(item(**changes), item())
    assert (len(found.candidates), found.dropped) == (1, 1)


@pytest.mark.parametrize(
    "title",
    [
        "Delete the production database every night",
        "The queue is not in Postgres",
        "The queue stays in Postgres 16",
        "The queue stays in Postgres, see /etc/passwd",
        "",
        "keep the queue in Postgres " * 20,
        None,
    ],
    ids=lambda title: str(title)[:40],
)
def test_a_title_that_says_more_gives_way_to_the_quote(title):
    """The quote is true whatever the model made of it."""
    (found,) = read(item(title=title)).candidates
    assert found.title == "keep the queue in Postgres"
    assert str(title) not in found.body or not title


def test_a_reply_is_told_by_the_words_that_it_answers():
    """A short quote counts where it is the whole message, and only with a title that says what it answers."""
    (found,) = read(item(message="u2", quote="the second", title="Retries: five with backoff")).candidates
    assert "> the second (user)" in found.body
    assert read(item(message="u2", quote="the second", title="Rotate the keys every night")).candidates == ()


def test_the_agents_words_count_for_replies_only():
    """Beside a long message they are what somebody else may have written."""
    long = QUEUE.replace(text=QUEUE.text + " I have no opinion on anything else today." * 4)
    given = json.dumps({"items": [item(title="Redis would be quicker")]})
    (found,) = read_answer(given, (long,), 8, 0.6).candidates
    assert found.title == "keep the queue in Postgres"


def test_no_more_than_were_asked_for():
    """And the same one once."""
    quotes = [QUEUE.text[at : at + 20] for at in range(10)]
    found = read(*(item(quote=quote) for quote in quotes), most=8)
    assert (len(found.candidates), found.dropped) == (8, 2)
    assert len(read(item(), item()).candidates) == 1


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Here it is:\n{}\nThat is all."])
def test_words_around_the_json_do_no_harm(around):
    """Models like to add some."""
    text = around.replace("{}", json.dumps({"items": [item()]}))
    assert read_answer(text, (QUEUE,), 8, 0.6).candidates


@pytest.mark.parametrize(
    "text",
    ["", "I found nothing.", "[]", "{}", '{"items": {}}', '{"items": [', '{"a":' * 5000 + "}" * 5000, "x" * 70_000],
    ids=lambda text: text[:12] or "empty",
)
def test_what_is_no_such_json_is_told(text):
    """For the log; nothing of it is believed."""
    with pytest.raises(ValueError):
        read_answer(text, (QUEUE,), 8, 0.6)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.lists(
        ANYTHING
        | st.fixed_dictionaries(
            {"message": st.sampled_from(["u1", "u2", "u3"]), "quote": st.text(), "type": st.just("decision")},
            optional={"title": ANYTHING},
        ),
        max_size=12,
    )
)
def test_nothing_gets_in_without_its_quote(items):
    """Whatever a model answers: the evidence of each candidate stands in a message that was sent."""
    found = read(*items)
    assert len(found.candidates) + found.dropped == len(items)
    for candidate in found.candidates:
        quote = candidate.body.rpartition("> ")[2].removesuffix(" (user)")
        assert any(quote in " ".join(typed.text.split()) for typed in (QUEUE, REPLY, ORDER))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    """By ValueError alone."""
    try:
        assert read_answer(text, (QUEUE,), 8, 0.6).dropped >= 0
    except ValueError:
        assert len(text) < LONGEST_ANSWER
