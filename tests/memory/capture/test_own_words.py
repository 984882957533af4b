"""What a person typed themselves, of a message into which something was pasted."""

import pytest
from hypothesis import given

from limpet.memory.capture.digest import own_words

from ...strategies import QUICK, hostile


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
        ("[Image #1] The button must stay green.", "The button must stay green."),
        ("It fails:\n\n    Traceback\n    KeyError: 1\n\nUse the id instead.", "It fails:\nUse the id instead."),
        (
            "Address: 1. Rename the helper, it is confusing\n\nKeep it private though.",
            "Address\nKeep it private though.",
        ),
        ("A review comment: The parser has three exits.", "A review comment"),
        ("Implement this plan:\n\n# Plan\n\nWe decided to use Redis.", "Implement this plan:"),
        (
            "Do it like this:\n\nuser@host:~/app$ make\nall done\n\nI want it quiet.",
            "Do it like this:\nI want it quiet.",
        ),
        ("See /srv/app/src/main.go", "See /srv/app/src/main.go"),
        ("/srv/app/src/main.go\nhere it is", "here it is"),
    ],
)
def test_what_was_pasted_is_left_out(text, own):
    """Commands of the client, pictures, output, the items of a review, plans, places."""
    assert own_words(text).text == own


def test_it_is_known_whether_something_was_pasted():
    """A message of one's own words is whole."""
    assert not own_words("Use tabs here.\n\nAnd there.").pasted
    assert own_words("Look:\n\n    at this\n    and that").pasted


@QUICK
@given(hostile)
def test_own_words_are_words_of_the_text(text):
    """Whatever it is."""
    own = own_words(text)
    assert len(own.text) <= len(text) + len(own.paragraphs)


def test_what_somebody_else_wrote_is_announced():
    """The paragraphs behind it are not the person's, whatever they ask for."""
    typed = "Got this comment from a reviewer, what say you?\n\nAlways validate the dates.\n\nNever use floats."
    assert own_words(typed).text == "Got this comment from a reviewer, what say you?"
    assert (
        own_words("I got the totals wrong.\n\nAlways use cents.").text == "I got the totals wrong.\nAlways use cents."
    )
