"""The session lock as changes to the session."""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.context.fitting import fit
from limpet.context.values import Piece
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.errors import LimpetError
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.text.words import LANGUAGES
from limpet.work.lock import (
    LINE,
    find_exit,
    is_locked,
    lift,
    lock_line,
    marked_files,
    render_lock_block,
    take,
    update_blocks,
)

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
    changes = lift({"lock": {"active": True, "note": "mine"}}, "limpet work exit", NOW)
    assert changes == {"lock": {"active": False, "note": "mine", "since": THEN, "by": "limpet work exit"}}
    assert lift(changes, "limpet work exit", NOW) == {}


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


CASES = Path(__file__).with_name("exit_cases.txt")
ASIDE = Path(__file__).with_name("exit_cases_aside.txt")
SPOKEN = Path(__file__).with_name("exit_cases_spoken.txt")


def exit_of(prompt):
    """What a prompt is, in whatever language."""
    return find_exit(prompt)[0]


def read_cases(path):
    """(language, kind, whether a row of a seed's table, prompt) of each line."""
    language, cases = "", []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            language = line[2:]
        elif line:
            kind, _, prompt = line.partition(": ")
            cases.append((language, kind.removesuffix(" seed"), kind.endswith(" seed"), prompt))
    return cases


def judge(cases):
    """(wanted, found) -> how often."""
    return Counter((kind, exit_of(prompt) or "none") for _, kind, _, prompt in cases)


def test_every_row_of_the_seeds_tables_and_every_labelled_prompt_is_understood():
    """Exit commands and phrases of chati.dev V7.1 section 6, words that are none, and all the phrases came from."""
    cases = read_cases(CASES)
    assert any(seed for _, _, seed, _ in cases)
    assert [(kind, prompt) for _, kind, _, prompt in cases if (exit_of(prompt) or "none") != kind] == []


def test_of_the_prompts_kept_aside_none_leaves_by_accident():
    """No prompt that is no exit is taken for one, and at least nine in ten of each kind are found."""
    counts = judge(read_cases(ASIDE))
    assert [pair for pair in counts if pair[1] == "exit" and pair[0] != "exit"] == []
    for kind in ("exit", "ask", "none"):
        total = sum(number for (wanted, _), number in counts.items() if wanted == kind)
        assert counts[kind, kind] >= 0.9 * total, counts


def test_of_the_prompts_in_peoples_own_words_hardly_one_is_missed():
    """Three rounds, each judged at first look and learned from afterwards. At first look none that is no exit left or
    was asked back (74 + 66 + 34); of the exits 36 of 48, 46 of 60 and 23 of 31 left, and 0, 0 and 4 were asked back."""
    counts = judge(read_cases(SPOKEN))
    assert [pair for pair in counts if pair[0] == "none" and pair[1] != "none"] == []
    assert counts["ask", "exit"] == 0
    exits = sum(number for (wanted, _), number in counts.items() if wanted == "exit")
    assert counts["exit", "exit"] >= 0.9 * exits, counts


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("the tests are green, exit limpet", "ask"),
        ("a tarefa acabou. sair do limpet", "ask"),
        ("he hecho lo que quería, salir de limpet", "ask"),
        ("tout est prêt; quitter limpet", "ask"),
        ("run the tests\nexit limpet", "ask"),
        ("when the user is done, exit limpet", ""),
        ("depois do deploy, sair do limpet", ""),
        ("cuando termine la tarea, salir de limpet", ""),
        ("si tout est vert, quitter limpet", ""),
        ("exit synapse", ""),
        ("/synapse exit", ""),
        ("please " * 40 + "exit limpet", ""),
    ],
)
def test_an_exit_behind_something_else_is_asked_back(prompt, kind):
    """The words must be the whole intent to leave (decision 37), but nobody who ends so is left without an answer;
    one that is only supposed, of another product, or of a thousand words is none."""
    assert exit_of(prompt) == kind


def test_there_are_enough_labelled_prompts():
    """At least 200 in four languages, a hundred of them kept aside, and none twice."""
    cases, aside = read_cases(CASES), read_cases(ASIDE)
    prompts = [prompt for *_, prompt in cases + aside]
    assert len(set(prompts)) >= 200 and len(aside) >= 100
    assert {language for language, *_ in cases} == {language for language, *_ in aside} == set(LANGUAGES)
    assert not {prompt for *_, prompt in cases} & {prompt for *_, prompt in aside}


@pytest.mark.parametrize(
    ("prompt", "language"),
    [("exit limpet", "en"), ("sair do limpet", "pt"), ("salir de limpet", "es"), ("quitter limpet", "fr")],
)
def test_the_language_of_the_words_is_told(prompt, language):
    """So that the confirmation can be in it."""
    assert find_exit(prompt) == ("exit", language)
    assert find_exit("/limpet exit") == ("exit", "")


@pytest.mark.parametrize(
    ("prompt", "accented"),
    [
        ("arreter chati", "arrêter chati"),
        ("sacame de limpet", "sácame de limpet"),
        ("Ja, sair do chati", "Já, sair do chati"),
    ],
)
def test_accents_change_nothing(prompt, accented):
    """Typed with and without, composed and decomposed."""
    import unicodedata

    assert exit_of(prompt) == exit_of(accented) == exit_of(unicodedata.normalize("NFD", accented)) == "exit"


@given(st.sampled_from([prompt for _, kind, _, prompt in read_cases(CASES) if kind == "exit"]), st.text(max_size=40))
def test_no_other_sentence_behind_an_exit_makes_it_one(prompt, more):
    """What follows on a line of its own with a word that is none of the phrases' is another intent."""
    assert exit_of(f"{prompt}\n{more} refactoring") == ""


@given(st.text(max_size=200))
def test_any_text_is_judged(prompt):
    """Without an error, and hardly anything is an exit."""
    assert exit_of(prompt) in ("", "ask")
