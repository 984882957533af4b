"""``/limpet`` as it is typed."""

import pytest

from limpet.work.lock.exits import read_slash


@pytest.mark.parametrize(
    ("prompt", "read"),
    [
        ("/limpet", ("enter", "")),
        ("  /Limpet\n", ("enter", "")),
        ("/limpet resume", ("resume", "")),
        ("/limpet status", ("status", "")),
        ("/limpet STATUS now", ("status", "now")),
        ("/limpet:limpet next", ("next", "")),
        ("$limpet:limpet", ("enter", "")),
        ("/limpet next", ("next", "")),
        ("/limpet finish with what we have", ("finish", "with what we have")),
        ("/limpet back to the brief", ("back", "to the brief")),
        ("/limpet help", ("help", "")),
        ("/limpet what?", ("help", "")),
        ("/limpet spec evaluate architecture", ("spec", "evaluate architecture")),
        ("/limpet exit", ("exit", "")),
        ("/limpet stop", ("exit", "")),
        ("/limpet quit ", ("exit", "")),
        ("/limpet exit.", ("exit", "")),
        ("/limpet Stop!", ("exit", "")),
        ("/limpet exit?", ("help", "")),
        ("/chati exit", ("exit", "")),
        ("/limpet exit and run the tests", ("help", "")),
        ("/limpetly", ("", "")),
        ("/compact", ("", "")),
        ("see /limpet exit", ("", "")),
        ("/", ("", "")),
        ("", ("", "")),
    ],
)
def test_the_verb_and_what_follows(prompt, read):
    """The seed's subcommands; an exit with words behind it is asked about by help."""
    assert read_slash(prompt) == read
