"""What an agent may not see changes nothing of what its searches find, nor how (decision 22)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.clock import Clock
from limpet.memory.catalogue import Catalogue
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import Reader, owners
from limpet.memory.search.candidates import THOROUGH, SearchLimits

from ..indexes import NOW, SETTINGS, found, index_entries, make_entry, path_of, write

DEV = Reader(agent="dev")
# So little is looked up, ranked and weighed that whatever takes a place is missed.
SHORT = SearchLimits(looked_up=6, spread=3, promising=4, ranked=3, weighed=3, newest=4)
QUESTIONS = (
    "proxy cors gate",
    "redis architect",
    "proxy",
    "2026-11-21 token zanzibar",
    "gates of proxies before redis",
)
WORDS = "proxy cors gate redis token queue lock proxies why? before zanzibar proximal".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
sessions = st.sampled_from(("", "s", "t"))
visible = st.tuples(st.sampled_from(("shared", "dev", "archive/shared")), said, sessions, st.integers(0, 9))
unseen = st.tuples(st.sampled_from(("architect", "zoe", "forgotten/shared", "forgotten/dev")), said, sessions)
stores = st.lists(st.one_of(visible, unseen), min_size=1, max_size=30)


def placed(drawn, private):
    """Paths and entries, the ``private`` ones among them or not; each other one is the same in both cases."""
    for at, (owner, text, session, *minute) in enumerate(drawn):
        if minute or private:
            name = LETTERS[at % 32] + LETTERS[at // 32]
            made = f"2026-11-21T10:0{(*minute, 5)[0]}:00Z"
            agent = owner.rpartition("/")[2].replace("shared", "dev")
            entry = make_entry(name, text[:20], text, session=session, created_at=made, agent=agent)
            yield path_of(name, owner), entry


def told(hits):
    return [(hit.card.id, hit.score, hit.relevance, hit.attention) for hit in hits]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(drawn=stores, question=st.one_of(st.sampled_from(QUESTIONS), said))
def test_a_search_is_the_same_without_the_entries_that_its_reader_may_not_see(tmp_path_factory, drawn, question):
    seen = []
    for private in (True, False):
        shared = str(tmp_path_factory.mktemp("store"))
        index_entries(shared, placed(drawn, private))
        some = {"owners": owners(DEV), "limit": 5}
        seen.append([told(found(shared, question, limits, **some)) for limits in (THOROUGH, SHORT)])
        seen[-1] += [told(found(shared, question, states=("current", "archive"), **some))]
    assert seen[0] == seen[1]


@settings(max_examples=8, deadline=None, derandomize=True)
@given(drawn=stores, question=st.sampled_from(QUESTIONS))
def test_so_it_is_for_whoever_asks_by_the_library(tmp_path_factory, drawn, question):
    seen = []
    for private in (True, False):
        shared = str(tmp_path_factory.mktemp("store"))
        for path, entry in placed(drawn, private):
            write(shared, path, entry)
        catalogue = Catalogue(shared, SETTINGS, DEV, Clock())
        queries = (Query(text=question, now=NOW), Query(text=question, now=NOW, states=("current", "archive")))
        seen.append([told(catalogue.search(query).hits) for query in queries])
    assert seen[0] == seen[1]


@pytest.mark.parametrize("limits", [THOROUGH, SHORT])
def test_many_unseen_entries_do_not_starve_those_that_may_be_seen(tmp_path, limits):
    """Theirs are newer and more than any search looks at."""
    shared = str(tmp_path)
    mine = [(path_of(name), make_entry(name, f"proxy {name * 3}", agent="dev")) for name in "bcdef"]
    theirs = [(path, entry) for path, entry in placed([("zoe", "proxy gate", "", 9)] * 900, True)]
    index_entries(shared, [*mine, *theirs])
    hits = found(shared, "proxy ccc", limits, owners=owners(DEV))
    index_entries(shared, mine)
    assert told(hits) == told(found(shared, "proxy ccc", limits, owners=owners(DEV)))
    assert hits[0].card.title == "proxy ccc"


def test_a_person_is_answered_by_all_entries(tmp_path):
    shared = str(tmp_path)
    entries = [(path_of("b"), make_entry("b", "proxy")), (path_of("c", "zoe"), make_entry("c", "proxy gate"))]
    index_entries(shared, entries)
    assert {hit.card.owner for hit in found(shared, "proxy gate")} == {"shared", "zoe"}
    assert {hit.card.owner for hit in found(shared, "proxy gate", owners=owners(DEV))} == {"shared"}
