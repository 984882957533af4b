"""The line ``/limpet ...`` taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.work.slash import ACTING, EVERY_DAY, EXPLAIN, FRONT, MOVING, UNKNOWN, read_slash

ALL = {*EVERY_DAY, *MOVING, "enter", "exit", EXPLAIN, FRONT, UNKNOWN}


@pytest.mark.parametrize(("prompt", "read"), [
    ("/limpet", ("front", "")), ("  /Limpet\n", ("front", "")), ("$limpet:limpet", ("front", "")),
    ("/limpet remember Never squash.", ("remember", "Never squash.")), ("$limpet recall x y", ("recall", "x y")),
    ("/limpet why", ("why", "")), ("/limpet REVIEW.", ("review", "")), ("/limpet keep abc", ("keep", "abc")),
    ("/limpet private off", ("private", "off")), ("/limpet help", ("help", "")),
    ("/limpet what?", ("unknown", "what?")), ("/limpet remembr the moon", ("unknown", "remembr the moon")),
    ("/limpet work", ("enter", "")), ("/limpet work status", ("status", "")),
    ("/limpet work help", ("explain", "help")),
    ("/limpet work finish as it is", ("finish", "as it is")), ("/limpet work exit", ("exit", "")),
    ("/limpet work exit now", ("explain", "")), ("/limpet resume", ("resume", "")),
    ("/limpet status", ("status", "")), ("/limpet STATUS now", ("status", "now")),
    ("/limpet:limpet next", ("next", "")), ("/limpet next", ("next", "")),
    ("/limpet finish with what we have", ("finish", "with what we have")),
    ("/limpet back to the brief", ("back", "to the brief")),
    ("/limpet spec evaluate architecture", ("spec", "evaluate architecture")),
    ("/limpet exit", ("exit", "")), ("/limpet stop", ("exit", "")), ("/limpet quit ", ("exit", "")),
    ("/limpet exit.", ("exit", "")), ("/limpet Stop!", ("exit", "")), ("/limpet exit?", ("unknown", "exit?")),
    ("/chati exit", ("exit", "")), ("/limpet exit and run the tests", ("explain", "")), ("/limpetly", ("", "")),
    ("/compact", ("", "")), ("see /limpet exit", ("", "")), ("/", ("", "")), ("", ("", "")),
])  # fmt: skip
def test_the_verb_and_what_follows(prompt, read):
    """The words of every day, and those of the work with and without its own word; an exit with words behind it is
    asked about by help."""
    assert read_slash(prompt) == read


@given(st.text(max_size=60))
def test_any_words_are_read(text):
    """What is unknown is handed back whole."""
    verb, rest = read_slash(f"/limpet {text}")
    assert verb in ALL and set(ACTING) < ALL
    assert verb != UNKNOWN or rest == " ".join(text.split())
