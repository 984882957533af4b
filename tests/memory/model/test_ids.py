"""Ids and file names of entries."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.ids import LONGEST, file_name, is_id, new_id, slug

from ...strategies import QUICK


def test_a_new_id_holds_the_day_in_utc_and_forty_random_bits():
    """The same timestamp and randomness give the same id; the real source gives no id twice."""
    assert new_id(0.0, lambda size: bytes(range(size))) == "mem-1970-01-01-01234567"
    assert len({new_id(1_700_000_000.0) for _ in range(1000)}) == 1000


@given(st.integers(0, 4_000_000_000), st.binary(min_size=8, max_size=8))
def test_every_new_id_is_an_id(now, noise):
    """Whatever the timestamp and the randomness."""
    assert is_id(new_id(float(now), lambda _: noise))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("mem-2026-02-12-001", True),
        ("mem-2026-11-21-k7q2m9xa", True),
        ("mem-2026-02-12-01", False),
        ("mem-2026-13-12-001", False),
        ("mem-2026-02-32-001", False),
        ("mem-2026-02-12-001\n", False),
        ("mem-2026-02-12-K7Q2M9XA", False),
        ("mem-2026-02-12-٠٠١", False),
        ("mem-2026-02-12-../../x", False),
        ("", False),
    ],
)
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
