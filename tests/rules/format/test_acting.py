"""Which star-commands act, and with which of them a text opens."""

import pytest

from limpet.rules.format.acting import find_acting, is_acting, opening_commands
from limpet.rules.format.domain import RESERVED, find_commands

KNOWN = {*RESERVED, "brief", "dev"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("*agent qa", ("agent",)),
        ("*dev *agent qa fix *yolo", ("dev", "agent")),
        ("*agent qa *mode ask *yolo go", ("agent", "mode", "yolo")),
        ("*work start bugfix *mode ask", ("work", "mode")),
        ("*limpet off API *brief go", ("limpet", "brief")),
        ("*agent qa, *yolo", ("agent", "yolo")),
        ("*dev Fix this: *agent qa", ("dev",)),
        ("*agent qa and then *yolo", ("agent",)),
        ("please *agent qa", ()),
        ("> *agent qa", ()),
        ("**agent** qa", ()),
        ("*unknown *agent qa", ()),
        ("", ()),
    ],
)
def test_a_line_opens_with_the_commands_that_stand_one_behind_the_other(line, names):
    """Their own words may stand between them, and no other."""
    assert opening_commands(line, KNOWN) == names


@pytest.mark.parametrize(
    ("typed", "acts"),
    [
        *(("*agent qa", True), ("*mode", True), ("*yolo", True), ("*work mode build", True), ("*develop S-1", True)),
        *(("*private", True), ("*yes abc", True), ("*remember x", True), ("*gotcha x", True), ("*forget x", True)),
        *(("*limpet add API x", True), ("*limpet OFF api", True), ("*carl create X", True)),
        *(("*limpet", False), ("*limpet status", False), ("*recall x", False), ("*memories", False), ("*brief", False)),
    ],
)
def test_what_changes_something_acts(typed, acts):
    """What reads, or brings rules, does not."""
    (command,) = find_commands(typed, {*KNOWN, "carl"})
    assert is_acting(command) is acts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("codex queue --message '*agent devops'", ("*agent",)),
        ('say "*yes abcde" and `*yolo`', ("*yes", "*yolo")),
        ("first\n  *limpet add API x", ("*limpet",)),
        ("2*agent, **mode** and *.py", ()),
        ("*brief go on", ()),
    ],
)
def test_a_text_for_somebody_else_holds_them_anywhere(text, found):
    """Quotes around one are taken away by whoever hands it on."""
    assert find_acting(text) == found
