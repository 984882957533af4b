"""What becomes of a candidate beside what is known: labelled pairs, and the rules that hold for all."""

from pathlib import Path

import pytest

from holdfast.ground.defaults import DEFAULTS
from holdfast.memory.card import Card
from holdfast.memory.entry import Entry
from holdfast.memory.reconcile import Add, Conflict, Strengthen, Supersede, reconcile

SETTINGS = DEFAULTS["memory"]
VERDICTS = {"same": Strengthen(id="o"), "contrary": Supersede(id="o"), "conflict": Conflict(id="o"), "new": Add()}
CASES = Path(__file__).with_name("reconcile_cases.txt").read_text(encoding="utf-8").splitlines()


def entry(title, type="decision", id="o", **fields):
    return Entry(id=id, type=type, title=title, body="", **fields)


@pytest.mark.parametrize("case", CASES)
def test_labelled_pairs_get_their_verdict(case):
    """verdict | new type | new title | known type | known title; in a conflict a person wrote what is known."""
    verdict, new_type, new, known_type, known = case.split(" | ")
    other = entry(known, known_type, source="person" if verdict == "conflict" else "capture:x")
    assert reconcile(entry(new, new_type, id="n"), [other], SETTINGS) == VERDICTS[verdict]


def test_what_is_pinned_is_never_superseded():
    """Somebody holds to it, whoever wrote it."""
    known = entry("Use JWT for auth", pinned=True)
    assert reconcile(entry("Use sessions for auth"), [known], SETTINGS) == Conflict(id="o")


def test_what_a_person_wrote_may_be_strengthened():
    """Saying the same overrules nothing."""
    known = entry("Use JWT for auth", source="person")
    assert reconcile(entry("Let's use JWT for auth"), [known], SETTINGS) == Strengthen(id="o")


def test_what_was_superseded_counts_no_more():
    """It is the past: neither strengthened nor superseded again."""
    known = entry("Use JWT for auth", superseded_by="other")
    assert reconcile(entry("Use JWT for auth"), [known], SETTINGS) == Add()


def test_what_says_the_same_goes_before_what_contradicts():
    """Whatever their order."""
    others = [entry("Use sessions for auth", id="a"), entry("Use JWT for auth", id="b")]
    for known in (others, others[::-1]):
        assert reconcile(entry("We decided to use JWT for auth"), known, SETTINGS) == Strengthen(id="b")


def test_cards_serve_as_entries_do():
    """The index is asked for what is related."""
    card = Card(id="o", path="p", owner="shared", type="decision", sector="", storage="daily", title="Use JWT for auth")
    assert reconcile(entry("Use sessions for auth"), [card], SETTINGS) == Supersede(id="o")


def test_nothing_known_makes_it_new():
    """There is nothing to compare."""
    assert reconcile(entry("Use JWT for auth"), [], SETTINGS) == Add()


def test_a_digest_is_neither_strengthened_nor_superseded():
    """It tells what happened, and that stays true."""
    known = entry("Conversation of 2026-11-21: Use JWT for auth", "episodic")
    assert reconcile(entry("Use sessions for auth"), [known], SETTINGS) == Add()
