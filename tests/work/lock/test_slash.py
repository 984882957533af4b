"""``/holdfast`` as it is typed."""

import pytest

from holdfast.work.lock.slash import read_slash


@pytest.mark.parametrize(
    ("prompt", "read"),
    [
        ("/holdfast", ("enter", "")),
        ("  /Holdfast\n", ("enter", "")),
        ("/holdfast resume", ("resume", "")),
        ("/holdfast status", ("status", "")),
        ("/holdfast STATUS now", ("status", "now")),
        ("/holdfast:holdfast next", ("next", "")),
        ("$holdfast:holdfast", ("enter", "")),
        ("/holdfast next", ("next", "")),
        ("/holdfast finish with what we have", ("finish", "with what we have")),
        ("/holdfast back to the brief", ("back", "to the brief")),
        ("/holdfast help", ("help", "")),
        ("/holdfast what?", ("help", "")),
        ("/holdfast spec evaluate architecture", ("spec", "evaluate architecture")),
        ("/holdfast exit", ("exit", "")),
        ("/holdfast stop", ("exit", "")),
        ("/holdfast quit ", ("exit", "")),
        ("/holdfast exit.", ("exit", "")),
        ("/holdfast Stop!", ("exit", "")),
        ("/holdfast exit?", ("help", "")),
        ("/chati exit", ("exit", "")),
        ("/holdfast exit and run the tests", ("help", "")),
        ("/holdfastly", ("", "")),
        ("/compact", ("", "")),
        ("see /holdfast exit", ("", "")),
        ("/", ("", "")),
        ("", ("", "")),
    ],
)
def test_the_verb_and_what_follows(prompt, read):
    """The seed's subcommands; an exit with words behind it is asked about by help."""
    assert read_slash(prompt) == read
