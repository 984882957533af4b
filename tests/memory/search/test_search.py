"""What a question finds, in which order, and that neither filters nor other people's entries spoil it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.memory.index.database import FIRST, POSITIONS
from limpet.memory.index.records import make_record
from limpet.memory.index.terms import terms
from limpet.memory.model.layout import MemoryPlace
from limpet.memory.search.candidates import THOROUGH, ParsedQuery, SearchLimits, Term
from limpet.memory.search.search import SHIPPED, score_all

from ..indexes import found, index_entries, indexed, make_entry, path_of, titles

FEW, SEVERAL = SearchLimits(looked_up=10, spread=5), SearchLimits(looked_up=100, spread=5)
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def numbered(count, **fields):
    """Entries that differ in name only."""
    return [
        make_entry(LETTERS[at % 32] + LETTERS[at // 32 % 32] + LETTERS[at // 1024], **fields) for at in range(count)
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("caching", "Sessions are cached"),
        ("onde está a configuração?", "Configurações"),
        ("username", "Rename"),
        ("user name", "Rename"),
        ("user_name.py", "Rename"),
        ("authentication by architect", "Tokens"),
        ("jwt", "Tokens"),
        ("security", "Tokens"),
        ("缓存", "中文"),
        ("2026-10-05", "Tokens"),
    ],
)
def test_a_question_finds_the_entry_whatever_the_form_of_its_words(shared, question, expected):
    indexed(
        shared,
        [
            make_entry("b", "Sessions are cached", "In the store, for an hour."),
            make_entry("c", "Configurações", "Ficam no ficheiro."),
            make_entry("d", "Rename", "getUserName moved to src/user_name.py"),
            make_entry(
                "e",
                "Tokens",
                "Authenticate with JWT.",
                tags=("security",),
                agent="architect",
                created_at="2026-10-05T10:00:00Z",
            ),
            make_entry("f", "中文", "我们使用缓存"),
        ],
    )
    assert titles(found(shared, question))[0] == expected


@pytest.mark.parametrize(
    "question", ["", "   ", "what was it of the", "?!", "zebra", '"', "NEAR(a b) * OR - :", "\0", "\ud800"]
)
def test_a_question_without_a_known_word_finds_nothing(shared, question):
    indexed(shared, [make_entry("b", "Sessions are cached")])
    assert found(shared, question) == []


def test_a_question_of_words_that_say_nothing_is_searched_by_them(shared):
    """Somebody who types "make" or "go" means it."""
    indexed(shared, [make_entry("b", "Release with make"), make_entry("c", "Sessions are cached")])
    assert titles(found(shared, "make")) == ["Release with make"]
    assert titles(found(shared, "make sessions")) == ["Sessions are cached"]


@pytest.mark.parametrize(("question", "expected"), [("which OS now", 1), ("which os now", 2), ("WHICH OS NOW", 2)])
def test_two_capitals_are_a_name_where_not_all_is_in_capitals(shared, question, expected):
    """To Portuguese "os" is an article: beside other words that say nothing it is one of them."""
    indexed(shared, [make_entry("b", "Supported OS: Debian"), make_entry("c", "Which one now")])
    assert len(found(shared, question)) == expected


def test_an_answer_is_found_by_the_words_of_its_question(shared):
    talk = [
        make_entry(
            "b", "", "Which database shall we take for billing?", session="s", created_at="2026-11-21T10:00:00Z"
        ),
        make_entry("c", "", "Postgres, it is proven.", session="s", created_at="2026-11-21T10:00:01Z"),
        make_entry("d", "", "Fine weather today.", session="t", created_at="2026-11-21T10:00:02Z"),
    ]
    indexed(shared, talk)
    assert {hit.card.excerpt for hit in found(shared, "database for billing")} == {
        "Which database shall we take for billing?",
        "Postgres, it is proven.",
    }


def test_what_only_stands_near_a_hit_is_none(shared):
    """Unless it answers a question that meets the words."""
    talk = ["The billing database is new.", "Fine weather today.", "Which queue do we take?", "Redis, it is proven."]
    entries = [
        make_entry(name, "", body, session="s", created_at=f"2026-11-21T10:00:0{at}Z")
        for at, (name, body) in enumerate(zip("bcde", talk, strict=True))
    ]
    indexed(shared, entries)
    assert [hit.card.excerpt for hit in found(shared, "billing database")] == [talk[0]]
    hits = {hit.card.excerpt: hit.relevance for hit in found(shared, "queue")}
    assert set(hits) == {talk[2], talk[3]}
    assert hits[talk[3]] == hits[talk[2]] / 2


def test_relevance_is_the_share_of_the_question_that_the_entry_itself_meets(shared):
    indexed(shared, [make_entry("b", "", "redis cache"), make_entry("c", "", "redis"), make_entry("d", "", "other")])
    whole, half = found(shared, "redis cache")
    assert (whole.relevance, 0 < half.relevance < 1) == (1.0, True)


def test_at_equal_age_use_and_confidence_attention_keeps_the_order_of_the_words(shared):
    dice = random.Random(3)
    words = ["cache", "redis", "login", "token", "store", "index", "query", "plan"]
    entries = [entry.replace(body=" ".join(dice.choices(words, k=9))) for entry in numbered(60)]
    indexed(shared, entries)
    hits = found(shared, "redis token plan", limit=60)
    assert len(hits) > 40
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_of_two_that_say_the_same_the_fresher_and_surer_one_comes_first(shared):
    said = {"title": "Redis holds sessions"}
    indexed(
        shared,
        [
            make_entry("b", created_at="2026-01-01T10:00:00Z", confidence=0.9, **said),
            make_entry("c", created_at="2026-11-21T10:00:00Z", confidence=0.9, **said),
            make_entry("d", created_at="2026-11-21T10:00:00Z", confidence=0.5, **said),
        ],
    )
    assert [hit.card.id[15] for hit in found(shared, "redis sessions")] == ["c", "d", "b"]


@pytest.mark.parametrize("owners", [("shared",), ("shared", "dev")])
def test_a_private_entry_is_neither_found_nor_felt_by_others(shared, tmp_path, owners):
    """Not by its own words, not as the neighbour in a conversation, not by what a conversation is about."""
    mine = [
        (path_of(name), make_entry(name, body, session="s", created_at=f"2026-11-21T10:00:0{at}Z"))
        for at, (name, body) in enumerate((("b", "plain words"), ("e", "other words")))
    ]
    secret = (
        "architect/durable/c.md",
        make_entry("c", "zanzibar launch", session="s", created_at="2026-11-21T10:00:00Z"),
    )
    index_entries(shared, [*mine, secret])
    assert found(shared, "zanzibar launch", owners=owners) == []
    with_secret = {hit.card.id: hit.card.title for hit in found(shared, "zanzibar words", owners=owners)}
    index_entries(shared, mine)
    assert with_secret == {hit.card.id: hit.card.title for hit in found(shared, "zanzibar words", owners=owners)}


@pytest.mark.parametrize("limits", [FEW, SEVERAL, THOROUGH])
def test_a_filter_never_starves_the_result(shared, limits):
    """However common the words are, and however few entries the filter leaves."""
    many = numbered(600, title="redis cache", sector="semantic")
    rare = make_entry("zzzz", "redis cache", sector="procedural", created_at="2020-01-01T00:00:00Z")
    indexed(shared, [*many[:300], rare, *many[300:]])
    assert [hit.card.id for hit in found(shared, "redis cache", limits, sector="procedural")] == [rare.id]


@pytest.mark.parametrize(
    ("limits", "limit", "count"),
    [(THOROUGH, 7, 7), (THOROUGH, 1000, 500), (SearchLimits(looked_up=20), 10, 10)],
    ids=["no more than the limit", "all that match", "common words alone still find something"],
)
def test_as_many_are_found_as_the_limit_allows(shared, limits, limit, count):
    """By those who may read them."""
    indexed(shared, numbered(500, title="redis cache"))
    assert len(found(shared, "redis cache", limits, limit=limit)) == count
    assert found(shared, "redis", owners=()) == []


def test_a_long_prompt_costs_no_more_than_its_beginning(shared):
    indexed(shared, [make_entry("b", "redis"), make_entry("c", "token")])
    assert titles(found(shared, "redis " + "filler " * 20_000 + "token")) == ["redis"]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(text=st.text(max_size=60))
def test_no_question_breaks_the_search(tmp_path_factory, text):
    shared = str(tmp_path_factory.mktemp("any"))
    indexed(shared, [make_entry("b", text.replace("\0", "")[:100], text)])
    for hit in found(shared, text):
        assert 0 <= hit.relevance <= 1
        assert 0 <= hit.attention <= 1


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
    """The own length does not count."""
    once, often = score(text(body="redis"), "redis"), score(text(body="redis " * 50), "redis")
    assert once < often < 1.0
    assert once == score(text(body="redis " + "other " * 90), "redis")


def test_a_rare_term_outweighs_a_common_one():
    found = rank({DOC: text("Redis"), DOC + 9: text("Cache")}, parse("redis cache", [3.0, 1.0]))
    assert found[DOC][0] == pytest.approx(3 * found[DOC + 9][0])


def test_a_neighbours_words_count_less_than_ones_own_and_less_in_a_long_one():
    short = score(text("Yes"), "redis", near={DOC - 1: text(body="redis")})
    long = score(text("Yes"), "redis", near={DOC - 1: text(body="redis " + "other " * 90)})
    titled = score(text("Yes"), "redis", near={DOC - 1: text("Redis")})
    assert 0 < long < short and 0 < titled < score(text("Redis"), "redis")


def test_the_entry_before_counts_more_than_the_one_behind_and_more_where_it_asks():
    before = score(text("Yes"), "redis", near={DOC - 1: text("Redis", body="Redis.")})
    behind = score(text("Yes"), "redis", near={DOC + 1: text("Redis", body="Redis.")})
    asking = score(text("Yes"), "redis", near={DOC - 1: text("Redis", body="Redis?")})
    assert behind < before < asking


def test_entries_that_are_further_away_or_of_another_conversation_do_not_count():
    assert score(text("Yes"), "redis", near={DOC - 3: text("Redis"), DOC + 3: text("Redis")}) == 0
    assert score(text("Yes"), "redis", counts={REDIS: {8: 4}}) == 0
    assert rank({DOC: text("Redis")}, parse("")) == {DOC: (0.0, 0.0)}


def test_each_entry_of_the_conversation_that_holds_a_term_counts_and_less_in_a_long_one():
    few, many, long = (
        score(text("Yes"), "redis", counts={REDIS: {7: count}}, lengths={7: length})
        for count, length in ((1, 20), (4, 20), (4, 200))
    )
    assert 0 < few < many
    assert long < many


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


def test_looked_up_postings_and_the_order_of_entries_change_no_score():
    """Postings only save looking into texts that hold nothing."""
    entries = {DOC: text("Redis cache"), DOC + 1: text("Yes"), DOC + 40: text("Other")}
    parsed = parse("redis cache")
    held = {term.text: frozenset({DOC}) for term in parsed.terms}
    plain = score_all(entries, entries, {}, {}, {}, parsed)
    assert score_all(entries, entries, held, {}, {}, parsed) == plain
    assert rank(dict(reversed(entries.items())), parsed) == plain
