"""BM25F over fields, neighbours and conversation: what counts for a score, and what for relevance."""

import pytest

from limpet.memory.index.database import FIRST, POSITIONS
from limpet.memory.index.records import make_record
from limpet.memory.index.terms import terms
from limpet.memory.model.layout import MemoryPlace
from limpet.memory.search.candidates import ParsedQuery, Term
from limpet.memory.search.search import SHIPPED, score_all

from ..indexes import make_entry, path_of

DOC = (7 << POSITIONS) + FIRST
(REDIS,) = terms("redis")
PLACE = MemoryPlace(owner="shared", storage="durable")


def text(title="Something", body="", **fields):
    """An entry's words, as the index holds them."""
    record = make_record(path_of("b"), PLACE, make_entry("b", title, body, **fields))
    signals = (record.is_question, record.has_time, record.has_number)
    return record.content, record.metadata, record.length, *map(int, signals)


def parse(words, weights=None, **signals):
    """A question of these words, each held by some entry's content and metadata; equal weights unless given."""
    found = [
        Term(text=term, weight=weight, share=weight, content_frequency=1, metadata_frequency=1)
        for term, weight in zip(terms(words), weights or [1.0] * 9, strict=False)
    ]
    plain = {"wants_time": False, "wants_number": False, "average_body": 5.0, "average_conversation": 20.0}
    return ParsedQuery(terms=tuple(found), relevant_weight=sum(term.share for term in found), **{**plain, **signals})


def rank(entries, parsed, near=None, counts=None, lengths=None):
    """Doc id -> (score, relevance) of these entries, among these neighbours."""
    return score_all(entries, entries | (near or {}), {}, counts or {}, lengths or {}, parsed)


def score(entry, words, **more):
    """The score of one entry alone, for words of equal weight."""
    return rank({DOC: entry}, parse(words), **more)[DOC][0]


def test_a_word_of_the_title_is_worth_more_than_one_of_the_body():
    assert score(text("Redis"), "redis") > score(text(body="Redis."), "redis") > score(text(), "redis") == 0


@pytest.mark.parametrize("fields", [{"tags": ("redis",)}, {"paths": ("src/redis.py",)}, {"agent": "redis"}])
def test_tags_paths_and_who_recorded_it_count(fields):
    assert score(text(**fields), "redis") > 0


def test_more_occurrences_are_worth_more_and_never_more_than_the_terms_weight():
    once, often = score(text(body="redis"), "redis"), score(text(body="redis " * 50), "redis")
    assert once < often < 1.0


def test_a_rare_term_outweighs_a_common_one():
    found = rank({DOC: text("Redis"), DOC + 9: text("Cache")}, parse("redis cache", [3.0, 1.0]))
    assert found[DOC][0] == pytest.approx(3 * found[DOC + 9][0])


def test_the_own_length_does_not_count():
    assert score(text(body="redis"), "redis") == score(text(body="redis " + "other " * 90), "redis")


def test_a_neighbours_words_count_less_than_ones_own():
    near = score(text("Yes"), "redis", near={DOC - 1: text("Redis")})
    assert 0 < near < score(text("Redis"), "redis")


def test_the_entry_before_counts_more_than_the_one_behind_and_more_where_it_asks():
    before = score(text("Yes"), "redis", near={DOC - 1: text("Redis", body="Redis.")})
    behind = score(text("Yes"), "redis", near={DOC + 1: text("Redis", body="Redis.")})
    asking = score(text("Yes"), "redis", near={DOC - 1: text("Redis", body="Redis?")})
    assert behind < before < asking


def test_entries_that_are_further_away_do_not_count():
    assert score(text("Yes"), "redis", near={DOC - 3: text("Redis"), DOC + 3: text("Redis")}) == 0


def test_a_long_neighbour_counts_less_than_a_short_one():
    short = score(text("Yes"), "redis", near={DOC - 1: text(body="redis")})
    assert score(text("Yes"), "redis", near={DOC - 1: text(body="redis " + "other " * 90)}) < short


def test_each_entry_of_the_conversation_that_holds_a_term_counts_and_less_in_a_long_one():
    few, many, long = (
        score(text("Yes"), "redis", counts={REDIS: {7: count}}, lengths={7: length})
        for count, length in ((1, 20), (4, 20), (4, 200))
    )
    assert 0 < few < many
    assert long < many


def test_another_conversation_does_not_count():
    assert score(text("Yes"), "redis", counts={REDIS: {8: 4}}) == 0


def test_relevance_is_the_share_of_the_weight_that_ones_own_fields_meet():
    entries = {DOC: text("Redis"), DOC + 1: text("Redis cache"), DOC + 2: text("Yes")}
    found = rank(entries, parse("redis cache", [3.0, 1.0]))
    assert [relevance for _, relevance in found.values()] == [0.75, 1.0, 0.0]
    assert found[DOC + 2][0] > 0, "its neighbours count for the score alone"


@pytest.mark.parametrize(
    ("wants", "body"), [("wants_time", "Since last Monday."), ("wants_number", "It takes three retries.")]
)
def test_an_entry_with_the_time_or_number_that_is_asked_for_is_worth_more(wants, body):
    entry = {DOC: text("Redis", body)}
    plain = rank(entry, parse("redis"))[DOC][0]
    assert rank(entry, parse("redis", **{wants: True}))[DOC][0] == pytest.approx(SHIPPED.signal * plain)
    other = {DOC: text("Redis", "It is.")}
    assert rank(other, parse("redis", **{wants: True})) == rank(other, parse("redis"))


def test_a_question_is_worth_less_than_what_tells():
    assert score(text("Redis", "Which port?"), "redis") < score(text("Redis", "Which port."), "redis")


def test_a_word_with_the_same_beginning_counts_a_little_where_the_term_is_missing():
    assert 0 < score(text("Counselor"), "counsel") < score(text("Counsel"), "counsel")
    assert score(text("County"), "cat") == 0, "of fewer letters no beginning is made"


def test_looked_up_postings_change_no_score():
    """They only save looking into texts that hold nothing."""
    entries = {DOC: text("Redis cache"), DOC + 1: text("Yes"), DOC + 40: text("Other")}
    parsed = parse("redis cache")
    held = {term.text: frozenset({DOC}) for term in parsed.terms}
    assert score_all(entries, entries, held, {}, {}, parsed) == score_all(entries, entries, {}, {}, {}, parsed)


def test_the_order_in_which_entries_come_changes_no_score():
    entries = {DOC + step: text(f"Redis {step}", body="cache " * step) for step in range(5)}
    backwards = dict(reversed(entries.items()))
    assert rank(entries, parse("redis cache")) == rank(backwards, parse("redis cache"))


def test_a_question_without_terms_finds_nothing():
    assert rank({DOC: text("Redis")}, parse("")) == {DOC: (0.0, 0.0)}
