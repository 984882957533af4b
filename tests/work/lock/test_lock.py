"""The session lock as changes to the session."""

import pytest

from limpet.context.fitting import fit
from limpet.context.values import Piece
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.text.tokens import estimate_tokens
from limpet.work.lock.lock import LINE, is_locked, lift, lock_line, take

NOW = 1_800_000_000.0
THEN = "2027-01-15T08:00:00Z"


def test_taking_says_since_when_and_by_what():
    """The changes lock the session."""
    changes = take({}, "/limpet", NOW)
    assert changes == {"lock": {"active": True, "since": THEN, "by": "/limpet"}}
    assert is_locked(changes)


def test_a_second_taking_changes_nothing():
    """The moment of the first one stays."""
    assert take({"lock": {"active": True, "since": "before"}}, "limpet resume", NOW) == {}


def test_lifting_unlocks_and_keeps_what_else_stands_there():
    """A field that this version does not know survives."""
    changes = lift({"lock": {"active": True, "note": "mine"}}, "limpet exit", NOW)
    assert changes == {"lock": {"active": False, "note": "mine", "since": THEN, "by": "limpet exit"}}
    assert lift(changes, "limpet exit", NOW) == {}


@pytest.mark.parametrize("lock", [None, {}, "yes", True, {"active": "yes"}, {"active": None}])
def test_only_a_plain_true_locks(lock):
    """A hand-written something does not keep anybody in."""
    assert not is_locked({"lock": lock})
    assert lock_line({"lock": lock}) == ""


def test_the_line_is_whole_within_its_ceiling():
    """At most 40 tokens, and the element around it too, so that CRITICAL cuts nothing (decision 4)."""
    line = lock_line({"lock": {"active": True}})
    assert line == LINE and "/limpet exit" in line and "deviation" in line
    assert estimate_tokens(line) <= 40
    ceiling = DEFAULTS["context"]["ceilings"]["lock"]
    piece = Piece(layer="L1", tag="lock", name="lock", lines=(("", line),), rank=0, ceiling=ceiling)
    assert fit([piece], 800, 9500, 0.15, lambda choices: "")[0].lines == (("", line),)
