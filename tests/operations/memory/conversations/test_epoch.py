"""How a conversation ended: the model's last words, what it was about to do, and what was asked of the person."""

import pytest

from limpet.ground.message import Message
from limpet.operations.memory.conversations.epoch import (
    next_action,
    questions_answered,
    with_question,
    words_for_model,
)


def told(*words):
    return [Message(role="assistant", text=text, offset=number) for number, text in enumerate(words)]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("The model is done. Next, I'll build the endpoint.", "Next, I'll build the endpoint."),
        ("Done.\n\nNext step: run the tests.", "Next step: run the tests."),
        ("The tests pass. I'll now write the docs.", "I'll now write the docs."),
        ("Os testes passam. Agora vou escrever a documentação.", "Agora vou escrever a documentação."),
        ("Listo. A continuación escribo la documentación.", "A continuación escribo la documentación."),
        ("C'est fait. Ensuite, je teste l'export.", "Ensuite, je teste l'export."),
        ("It is done, and all tests pass.", ""),
        ("The next_action column is empty.", ""),
    ],
)
def test_the_next_action_is_the_one_that_was_named(text, action):
    """In the four languages; where none was named, none is made up."""
    assert next_action(told(text)) == action


def test_the_newest_of_the_last_messages_counts():
    """Of what was said long before nothing is left to do."""
    assert next_action(told("Next, the model.", "Next, the endpoint.", "Done.")) == "Next, the endpoint."
    assert next_action(told("Next, the model.", "Done.", "Done.", "Done.")) == ""


def test_an_answer_has_its_question_once():
    """What follows a statement, or another message of the person, answers nothing."""
    asked, answer = told("Round per line or per invoice?")[0], Message(role="user", text="per line", offset=1)
    more = Message(role="user", text="And the docs.", offset=2)
    assert questions_answered([asked, answer, more]) == {"1": "Round per line or per invoice?", "2": ""}
    assert with_question("per line", "Which?") == "per line (asked: Which?)"
    assert with_question("per line (asked: Which?)", "Which?") == "per line (asked: Which?)"
    assert with_question("x" * 301, "Which?") == "x" * 301


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where do you handle a float?", "Where do you handle a float?"),
        ("*remember the CI is slow", ""),
        ("*remembr the CI is slow", ""),
        ("*remember the CI is slow\nNow fix the parser.", "Now fix the parser."),
        ("*limpet stats", ""),
        ("*brief", ""),
        ("*yes w2j9q", ""),
        ("*brief fix the parser", "*brief fix the parser"),
        ("/limpet help", ""),
        ("/compact keep the decisions", ""),
        ("/usr/bin/env fails here", "/usr/bin/env fails here"),
        ("*Never* touch the parser", "*Never* touch the parser"),
    ],
)
def test_commands_are_no_words_for_the_model(text, words):
    """Of Limpet or the client, mistyped or not; a task behind one is."""
    assert words_for_model(text) == words
