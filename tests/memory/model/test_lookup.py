"""Which card a key names."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.memory.model.ids import count_cards, pick, proposed

from ..cards import make_card

ONE = make_card(id="mem-2026-11-21-k7q2m9xa", path="shared/one.md")
TWO = make_card(id="mem-2026-11-21-k8q2m9xa", path="shared/two.md", tags=("alias:mem-2026-02-12-001",))


@pytest.mark.parametrize("key", [ONE.id, ONE.id[:-1], "k7q2m9xa", "k7q2"])
def test_an_id_its_beginning_and_that_of_its_last_part_name_it(key):
    assert pick([TWO, ONE], key) == ONE


def test_an_id_from_elsewhere_names_it_unless_another_has_that_id():
    assert pick([ONE, TWO], "mem-2026-02-12-001") == TWO
    own = make_card(id="mem-2026-02-12-001", path="shared/own.md")
    assert pick([ONE, TWO, own], "mem-2026-02-12-001") == own


@pytest.mark.parametrize("key", ["k7q", "q2m9xa", "mem-2026-11-22", "none"])
def test_what_is_too_short_or_no_beginning_names_nothing(key):
    assert pick([ONE, TWO], key) is None


def test_a_key_that_names_several_is_refused_with_their_ids():
    with pytest.raises(LimpetError, match="2 memories match") as raised:
        pick([ONE, TWO], "mem-2026-11-21")
    assert ONE.id in str(raised.value)
    assert TWO.id in str(raised.value)


def test_of_one_id_in_two_files_the_paths_are_named():
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
