"""Memories as lines within tokens: whatever they say, the budget holds, and what stands there stands whole."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.context.fitting import render_line
from limpet.engine.block.quoting import TITLE_WORDS, describe_in, describe_memory, list_titles, parts_of
from limpet.engine.block.recall import recall
from limpet.engine.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.text.tokens import estimate_tokens
from limpet.memory.index.sync import refresh_index
from limpet.memory.model.entry import Card
from limpet.memory.model.ids import pick
from limpet.memory.model.layout import personal_home
from limpet.memory.search.passages import EntryPassage

from ...conversation import write

texts = st.text(max_size=400) | st.lists(st.sampled_from(["ledger", "a/b.py", "日本語", "&<>", "naïve", ". "])).map(
    " ".join
)
cards = st.builds(
    Card,
    id=st.uuids().map(lambda key: f"mem-2026-11-22-{key.hex[:8]}"),
    path=st.just("shared/daily/a.md"),
    owner=st.just("shared"),
    type=st.just("decision"),
    sector=st.just("semantic"),
    storage=st.just("daily"),
    title=texts,
    excerpt=texts,
    flags=st.sampled_from([(), ("order",)]),
    stale=st.booleans(),
)


def cost(entries):
    """Tokens of the lines as the block renders them."""
    return sum(estimate_tokens(render_line(("", line))) for _, line in entries)


@pytest.mark.parametrize("level", ["relevant", "metadata"])
@given(found=st.lists(cards, max_size=8), tokens=st.integers(120, 400))
def test_a_levels_memories_keep_its_tokens(level, found, tokens):
    """Whatever their scripts and lengths; of what was left out nothing is told."""
    entries = describe_in(found, level, tokens)
    assert cost(entries) <= tokens
    assert [name for name, _ in entries] == [card.id for card in found if card.id in dict(entries)]


@given(found=cards, tokens=st.integers(120, 400))
def test_a_substance_keeps_its_tokens(found, tokens):
    """That of each for itself."""
    assert cost([("", describe_memory(found, "chunks", tokens))]) <= tokens


@given(found=st.lists(cards, min_size=2, max_size=8), tokens=st.integers(120, 400))
def test_all_lines_after_the_first_stand_whole(found, tokens):
    """A line that does not fit makes room for the next one, and is not cut."""
    whole = {card.id: describe_memory(card, "relevant", 0) for card in found}
    assert all(line == whole[name] for name, line in describe_in(found, "relevant", tokens)[1:])


@given(found=st.lists(cards, max_size=8), tokens=st.integers(10, 400))
def test_a_list_keeps_its_tokens_and_its_order(found, tokens):
    """What has no room is missing at its end."""
    entries = list_titles(found, tokens)
    assert cost(entries) <= tokens
    assert [name for name, _ in entries] == [card.id for card in found[: len(entries)]]


# A title of some 30 tokens, and a substance that no level has the tokens for.
LONG = "Amounts are kept as integers of cents, and shown with the sign of their currency, in case {}"
BECAUSE = "Because sums of floating point numbers are wrong by a cent now and then. " * 8


def card(number, **fields):
    """A decision of a person, as capture keeps it."""
    key = f"mem-2026-11-22-aaaaaaa{number}"
    about = {"owner": "shared", "type": "decision", "sector": "semantic", "storage": "daily", "confidence": 0.8}
    return Card(id=key, path=f"{key}.md", title=LONG.format(number), created=1_795_000_000.0, **about | fields)


def test_a_substance_is_quoted_after_a_short_id_and_its_origin():
    """By its short id the commands know an entry; a whole one would cost as much as a third of the words."""
    line = describe_memory(card(1, agent="dev"), "chunks", 200)
    assert line == f'aaaaaaa1 (decision, by dev, 2026-11-18, 0.8): "{LONG.format(1)}"'


def test_of_a_substance_that_is_too_long_the_end_goes_before_the_title_does():
    assert f'"{LONG.format(1)}. Because sums' in (line := describe_memory(card(1, excerpt=BECAUSE), "chunks", 90))
    assert line.endswith('..."')


def test_a_substance_ends_where_a_sentence_does():
    """In any script."""
    for excerpt in (BECAUSE, "\u91d1\u984d\u306f\u30bb\u30f3\u30c8\u3067\u4fdd\u5b58\u3002" * 30):
        line = describe_memory(card(1, excerpt=excerpt), "chunks", 120)
        assert line.endswith(f'{excerpt.strip()[-6:]}"') and estimate_tokens(line) > 90


def test_of_several_substances_the_first_takes_what_it_needs():
    """The others keep a little room each, and end where a sentence does."""
    many = [card(number, excerpt=BECAUSE) for number in (1, 2, 3)]
    (_, first), (_, second), (_, third) = describe_in(many, "chunks", 450)
    assert first.count("Because") == 8 > second.count("Because") > 0
    assert cost(describe_in(many, "chunks", 450)) <= 450 and LONG.format(3) in third


RARELY = "They do so rarely, but where many of them are added up, as at the end of a year or of a quarter."
SAID = EntryPassage(sentences=("Sums lie.", RARELY, "Banks round up."), at=2)


@pytest.mark.parametrize(
    ("level", "tokens", "excerpt", "passage", "part"),
    [
        ("relevant", 0, "Sums lie.", None, None),
        ("relevant", 0, "Sums lie. They do so rarely.", None, ""),
        ("relevant", 0, f"Sums lie. {RARELY}", SAID, "2"),
        ("relevant", 0, f"Sums lie. {RARELY}", SAID.replace(at=-1), "0"),
        ("chunks", 200, f"Sums lie. {RARELY}", SAID, None),
        ("chunks", 118, f"Sums lie. {RARELY}", SAID, "1,2"),
    ],
)
def test_of_a_line_it_is_known_which_sentences_it_has(level, tokens, excerpt, passage, part):
    """None where it has all; no number where nobody asked for the sentences."""
    found = card(1, excerpt=excerpt)
    passages = {found.id: passage} if passage else {}
    line = describe_memory(found, level, tokens, passage)
    parts = parts_of([found], ((found.id, line),), passages)
    assert parts == (() if part is None else ((found.id, part),))


def test_a_title_too_long_for_what_is_left_makes_room_for_the_next():
    """Whole."""
    entries = describe_in([card(1), card(2).replace(title=LONG * 2), card(3)], "relevant", 90)
    assert [name[-1] for name, _ in entries] == ["1", "3"]


@pytest.mark.parametrize("level", ["relevant", "chunks"])
def test_a_cut_title_is_quoted_with_the_rest_of_its_sentence(level):
    """Where the substance has it, also in the midst of a message."""
    cut = card(1, excerpt=f"Good. {LONG.format('of a quarrel')}. Go on.").replace(title=LONG.format("of a q..."))
    assert LONG.format("of a quarrel.") in describe_memory(cut, level, 200)


def test_a_title_that_is_too_long_alone_is_cut():
    """Rather than lost."""
    ((_, line),) = describe_in([card(1)], "relevant", 25)
    assert line.startswith("aaaaaaa1: Amounts are kept as integers of cents") and line.endswith("...")


def test_a_list_has_the_short_id_and_eleven_words_of_a_title():
    """And says where a title goes on, after a word that says something; nothing of the substance stands there."""
    short = "Amounts are integers of cents"
    ((_, first), (_, second)) = list_titles([card(1, excerpt=BECAUSE), card(2).replace(title=short)], 100)
    assert first == "aaaaaaa1 " + " ".join(LONG.split()[: TITLE_WORDS - 2]) + "..." and TITLE_WORDS == 11
    assert second == f"aaaaaaa2 {short}"


def test_a_title_without_spaces_leaves_room_for_others():
    """It is one word."""
    entries = list_titles([card(1).replace(title="金額はセントの整数として保存され" * 12), card(2)], 160)
    assert len(entries) == 2 and entries[0][1].endswith("...")
    assert len(entries[0][1]) < len(LONG)


@pytest.mark.parametrize("key", ["mem-2026-02-12-001", "mem-2026-11-22-k7q2m9xa"])
@pytest.mark.parametrize("level", ["relevant", "metadata", "chunks", "title"])
def test_the_commands_know_an_entry_by_what_a_line_calls_it(key, level):
    """Also one with three digits, whose last part alone is too short for that."""
    known = card(1).replace(id=key)
    line = list_titles([known], 200)[0][1] if level == "title" else describe_memory(known, level, 200)
    assert pick([known, card(2)], line.split()[0].rstrip(":")) == known


STILL = Clock(timer=lambda: 0.0, worked=lambda: 0.0)
REQUEST = "Draw a chart of the endpoint latency"


def put(home, end, title, state=""):
    """An entry whose id ends so, in the project's place or in the person's own."""
    key = f"mem-2026-11-01-{end}"
    about = f"id: {key}\ntype: decision\ncreated_at: 2026-11-01T10:00:00Z\nsource: person"
    path = os.path.join(home, "memories", state, "shared", "durable", f"{key}.md")
    write(path, f"---\n{about}\n---\n\n# {title}\n")
    refresh_index(home, DEFAULTS["memory"], time.time())


def names(workspace):
    """What the list calls its entries."""
    found = recall(draft_event(workspace, REQUEST, clock=STILL), "FRESH", "agent", False)
    return sorted(line.split()[0] for _, line in found.contents)


@pytest.mark.parametrize(
    ("other", "state", "called"),
    [
        ("b3c4d5e6", "archive", ["a1b2", "k7q2"]),
        ("k7q2m1xa", "", ["a1b2", "k7q2m1", "k7q2m9"]),
        ("k7q2m1xa", "archive", ["a1b2", "k7q2m9"]),
        ("k7q2m1xa", "forgotten", ["a1b2", "k7q2m9"]),
    ],
)
def test_more_letters_than_four_stand_where_another_begins_the_same(workspace, other, state, called):
    """One that was put away too: a person may open it by the same letters."""
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "a1b2c3d4", "The endpoint is limited")
    put(workspace.shared, other, "The endpoint is slow", state)
    assert names(workspace) == called


def test_the_persons_own_count_too(workspace):
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "a1b2c3d4", "The endpoint is limited")
    put(personal_home(), "k7q2zzzz", "Mail is short")
    assert "k7q2m" in names(workspace)
