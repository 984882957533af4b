"""The session lock as changes to the session."""

import os

import pytest

from limpet.context.fitting import fit
from limpet.context.values import Piece
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.errors import LimpetError
from limpet.ground.text.tokens import estimate_tokens
from limpet.work.lock import LINE, is_locked, lift, lock_line, marked_files, render_lock_block, take, update_blocks

NOW = 1_800_000_000.0
THEN = "2027-01-15T08:00:00Z"


def test_taking_says_since_when_and_by_what():
    """The changes lock the session; the moment of the first one stays."""
    changes = take({}, "/limpet", NOW)
    assert changes == {"lock": {"active": True, "since": THEN, "by": "/limpet"}}
    assert is_locked(changes)
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


LOCKED = {"lock": {"active": True}, "current_agent": "dev"}
MINE = b"# Mine\r\nkeep me"


@pytest.fixture
def root(tmp_path):
    return os.path.realpath(tmp_path)


def put(root, name, raw=MINE):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(raw)
    return path


def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_the_block_holds_the_seeds_rules():
    """chati.dev V7.1 section 6, CLAUDE.md Session Lock Block; the inactive one says how to resume."""
    text = render_lock_block(LOCKED)
    for rule in ("Session Lock - ACTIVE", "EVERY message", "current agent: `dev`", "generic assistant", "deviation"):
        assert rule in text
    assert "/limpet quit" in text
    text = render_lock_block({"lock": {"active": False}})
    assert "Status: INACTIVE" in text and "limpet resume" in text and "MUST" not in text


def test_without_being_wanted_no_file_is_touched(root):
    """Decision 37: where per-prompt injection exists the lock is not in CLAUDE.md."""
    path = put(root, "CLAUDE.md")
    assert update_blocks(root, LOCKED, wanted=False) == ()
    assert content(path) == MINE


def test_where_it_is_wanted_the_block_comes_last_and_follows_the_lock(root):
    """The user's bytes stay before it; the next state takes the place of the last."""
    path = put(root, "CLAUDE.md")
    assert update_blocks(root, LOCKED, wanted=True) == (path,)
    locked = content(path)
    assert locked.startswith(MINE + b"\r\n") and b"ACTIVE" in locked
    assert update_blocks(root, LOCKED, wanted=True) == ()
    assert update_blocks(root, {}, wanted=False) == (path,)
    assert b"Status: INACTIVE" in content(path) and content(path).startswith(MINE)


def test_a_missing_file_is_made(root):
    """In the project's root."""
    (path,) = update_blocks(root, LOCKED, wanted=True)
    assert path == os.path.join(root, "CLAUDE.md") and b"made -->" in content(path)


def test_every_file_that_has_a_block_is_kept_up_to_date(root):
    """Those of other hosts too, a linked one once."""
    update_blocks(root, LOCKED, wanted=True)
    put(root, ".github/copilot-instructions.md", content(os.path.join(root, "CLAUDE.md")))
    if hasattr(os, "symlink"):
        os.symlink("CLAUDE.md", os.path.join(root, "AGENTS.md"))
    assert len(marked_files(root)) == 2
    assert len(update_blocks(root, {}, wanted=False)) == 2


def test_a_file_that_cannot_be_edited_safely_is_left(root):
    """Markers that a merge tore apart: the error says where."""
    path = put(root, "CLAUDE.md", b"<!-- limpet:begin -->\nx\n")
    with pytest.raises(LimpetError, match=r"CLAUDE\.md:1"):
        update_blocks(root, {}, wanted=False)
    assert content(path) == b"<!-- limpet:begin -->\nx\n"


def test_one_file_that_cannot_be_edited_keeps_no_other_back(root):
    """Else another host's agent would stay locked in after the exit."""
    update_blocks(root, LOCKED, wanted=True)
    other = put(root, "AGENTS.md", content(os.path.join(root, "CLAUDE.md")))
    put(root, "CLAUDE.md", b"<!-- limpet:begin -->\nx\n")
    with pytest.raises(LimpetError, match=r"CLAUDE\.md:1"):
        update_blocks(root, {}, wanted=False)
    assert b"Status: INACTIVE" in content(other)


def test_the_block_names_the_agent_that_an_alias_stands_for():
    """As the context block does, where somebody wrote the alias by hand."""
    text = render_lock_block({**LOCKED, "current_agent": "analyst", "workflow": "brownfield"})
    assert "current agent: `brownfield-wu`" in text
