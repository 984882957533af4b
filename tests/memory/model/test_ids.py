"""Ids and file names of entries."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.ids import LONGEST, count_cards, file_name, is_id, new_id, pick, proposed, slug

from ...strategies import QUICK
from ..cards import make_card


def test_a_new_id_holds_the_day_in_utc_and_forty_random_bits():
    """The same timestamp and randomness give the same id; the real source gives no id twice."""
    assert new_id(0.0, lambda size: bytes(range(size))) == "mem-1970-01-01-01234567"
    assert len({new_id(1_700_000_000.0) for _ in range(1000)}) == 1000


@given(st.integers(0, 4_000_000_000), st.binary(min_size=8, max_size=8))
def test_every_new_id_is_an_id(now, noise):
    """Whatever the timestamp and the randomness."""
    assert is_id(new_id(float(now), lambda _: noise))


@pytest.mark.parametrize(("text", "answer"), [
    ("mem-2026-02-12-001", True), ("mem-2026-11-21-k7q2m9xa", True), ("mem-2026-02-12-01", False),
    ("mem-2026-13-12-001", False), ("mem-2026-02-32-001", False), ("mem-2026-02-12-001\n", False),
    ("mem-2026-02-12-K7Q2M9XA", False), ("mem-2026-02-12-٠٠١", False), ("mem-2026-02-12-../../x", False), ("", False),
])  # fmt: skip
def test_ids_of_ours_and_of_chati_are_known(text, answer):
    """Three digits or eight of base 32, a day that can be, nothing else."""
    assert is_id(text) is answer


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Pattern: JWT Authentication in Next.js", "pattern-jwt-authentication-in-next-js"),
        ("Decisão: ações não são çedilhas", "decisao-acoes-nao-sao-cedilhas"),
        ("猫犬", "memory"),
        ("", "memory"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "memory-con"),
        ("com1", "memory-com1"),
        ("a" * 100, "a" * 48),
        ("ab " * 40, "-".join(["ab"] * 16)),
        ("\u202etxt.\0exe", "txt-exe"),
    ],
)
def test_a_title_becomes_a_file_name_of_plain_letters(title, name):
    """Accents fold, other scripts and signs fall away, long titles end with a whole word."""
    assert slug(title) == name


@QUICK
@given(st.text())
def test_every_title_gives_a_safe_file_name(title):
    """Short, plain, never empty, on every system."""
    name = file_name(MemoryEntry(id="mem-2026-02-12-k7q2m9xa", type="lesson", title=title, body=""))
    assert re.fullmatch(r"2026-02-12-[a-z0-9]+(-[a-z0-9]+)*-k7q2m9xa\.md", name)
    assert len(slug(title)) <= LONGEST


def test_an_old_id_gives_its_number_to_the_file():
    """Entries of chati.dev keep their three digits."""
    assert file_name(MemoryEntry(id="mem-2026-02-12-001", type="lesson", title="JWT auth", body="")) == (
        "2026-02-12-jwt-auth-001.md"
    )


ONE = make_card(id="mem-2026-11-21-k7q2m9xa", path="shared/one.md")
TWO = make_card(id="mem-2026-11-21-k8q2m9xa", path="shared/two.md", tags=("alias:mem-2026-02-12-001",))


@pytest.mark.parametrize(
    ("key", "named"),
    [
        *((key, ONE) for key in (ONE.id, ONE.id[:-1], "k7q2m9xa", "k7q2")),
        ("mem-2026-02-12-001", TWO),
        *((key, None) for key in ("k7q", "q2m9xa", "mem-2026-11-22", "none")),
    ],
)
def test_an_id_its_beginning_that_of_its_last_part_and_an_id_from_elsewhere_name_it(key, named):
    assert pick([TWO, ONE], key) == named


def test_an_id_from_elsewhere_names_nothing_where_another_has_that_id():
    own = make_card(id="mem-2026-02-12-001", path="shared/own.md")
    assert pick([ONE, TWO, own], "mem-2026-02-12-001") == own


def test_a_key_that_names_several_is_refused_with_their_ids():
    """Of one id in two files the paths are named."""
    with pytest.raises(LimpetError, match=f"2 memories match.*{ONE.id}.*{TWO.id}"):
        pick([ONE, TWO], "mem-2026-11-21")
    with pytest.raises(LimpetError, match=r"shared/one.md, dev/one.md"):
        pick([ONE, ONE.replace(path="dev/one.md")], ONE.id)


@pytest.mark.parametrize(
    "decided",
    [{"storage": "durable"}, {"superseded_by": "x"}, {"state": "archive"}, {"flags": ("x",)}, {"evidence": 4}],
    ids=str,
)
def test_what_was_confirmed_often_is_proposed_until_somebody_decided(decided):
    proved = ONE.replace(evidence=5, storage="daily")
    assert proposed([proved, TWO], 5) == (proved,)
    assert proposed([proved.replace(**decided)], 5) == ()


def test_cards_are_counted_by_each_word():
    figures = count_cards([ONE.replace(size=3, stale=True), TWO.replace(size=4, owner="dev", flags=("instruction",))])
    assert (figures["total"], figures["tokens"], figures["owner"]) == (2, 7, {"dev": 1, "shared": 1})
    assert (figures["stale"], figures["flagged"], figures["pinned"], figures["superseded"]) == (1, 1, 0, 0)
