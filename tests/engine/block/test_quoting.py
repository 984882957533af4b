"""Memories as lines within tokens: whatever they say, a level's budget holds, and what stands there stands whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.context.block import render_line
from holdfast.engine.block.quoting import describe, describe_in, describe_together
from holdfast.ground.text.tokens import estimate_tokens
from holdfast.memory.model.card import Card
from holdfast.memory.model.lookup import pick

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
listed = pytest.mark.parametrize("level", ["relevant", "metadata", "chunks"])


def cost(entries):
    """Tokens of the lines as the block renders them."""
    return sum(estimate_tokens(render_line(("", line))) for _, line in entries)


@listed
@given(found=st.lists(cards, max_size=8), tokens=st.integers(120, 400))
def test_a_levels_memories_keep_its_tokens(level, found, tokens):
    """Whatever their scripts and lengths; of what was left out nothing is told."""
    entries = (describe_together if level == "chunks" else describe_in)(found, level, tokens)
    assert cost(entries) <= tokens
    assert [name for name, _ in entries] == [card.id for card in found if card.id in dict(entries)]


@given(found=st.lists(cards, min_size=2, max_size=8), tokens=st.integers(120, 400))
def test_all_lines_after_the_first_stand_whole(found, tokens):
    """A line that does not fit makes room for the next one, and is not cut."""
    whole = {card.id: describe(card, "relevant", 0) for card in found}
    assert all(line == whole[name] for name, line in describe_in(found, "relevant", tokens)[1:])


# A title of some 30 tokens, and a substance that no level has the tokens for.
LONG = "Amounts are kept as integers of cents, and shown with the sign of their currency, in case {}"
BECAUSE = "Because sums of floating point numbers are wrong by a cent now and then. " * 8


def card(number, **fields):
    """A decision of a person, as capture keeps it."""
    key = f"mem-2026-11-22-aaaaaaa{number}"
    about = {"owner": "shared", "type": "decision", "sector": "semantic", "storage": "daily", "confidence": 0.8}
    return Card(id=key, path=f"{key}.md", title=LONG.format(number), created=1_795_000_000.0, **about | fields)


def test_an_opening_quotes_short_ids_and_the_whole_origin_where_there_is_room():
    """By its short id the commands know an entry; a whole one would cost as much as a third of the words."""
    (entry,) = describe_together([card(1, agent="dev")], "chunks", 200)
    assert entry == ("mem-2026-11-22-aaaaaaa1", f'aaaaaaa1 (decision, by dev, 2026-11-18, 0.8): "{LONG.format(1)}"')


def test_all_titles_come_before_any_substance():
    """Each whole; what is left goes to the substance, to that of the first before the others'."""
    entries = describe_together([card(number, excerpt=BECAUSE) for number in range(3)], "chunks", 220)
    assert all(LONG.format(number) in line for number, (_, line) in enumerate(entries))
    assert ["Because" in line for _, line in entries] == [True, False, False]


def test_types_dates_and_confidence_go_before_a_title_does():
    """Whose an entry is stays."""
    cards = [card(number, agent="dev") for number in range(3)]
    entries = describe_together(cards, "chunks", 190)
    assert [line for _, line in entries] == [
        f'aaaaaaa{number} (by dev): "{LONG.format(number)}"' for number in range(3)
    ]


@pytest.mark.parametrize(("tokens", "shown"), [(50, 1), (100, 2), (150, 3), (200, 4)])
def test_where_the_titles_are_too_much_the_last_entries_stay_out(tokens, shown):
    """And none of the others is cut for them."""
    entries = describe_together([card(number) for number in range(4)], "chunks", tokens)
    assert [name[-1] for name, _ in entries] == [str(number) for number in range(shown)]
    assert cost(entries) <= tokens and all(LONG.format(name[-1]) in line for name, line in entries)


def test_a_title_too_long_for_what_is_left_makes_room_for_the_next():
    """Whole, as in a list."""
    entries = describe_together([card(1), card(2).replace(title=LONG * 2), card(3)], "chunks", 110)
    assert [name[-1] for name, _ in entries] == ["1", "3"]


def test_a_cut_title_is_quoted_with_the_rest_of_its_sentence():
    """Where the substance has it, also in the midst of a message."""
    cut = card(1, excerpt=f"Good. {LONG.format('of a quarrel')}. Go on.").replace(title=LONG.format("of a q..."))
    assert LONG.format("of a quarrel.") in describe(cut, "relevant", 200)
    ((_, line),) = describe_together([cut], "chunks", 200)
    assert LONG.format("of a quarrel") in line


def test_a_title_that_is_too_long_alone_is_cut():
    """Rather than lost."""
    ((_, line),) = describe_together([card(1), card(2)], "chunks", 40)
    assert line.startswith('aaaaaaa1: "Amounts are kept as integers of cents, and shown')
    assert line.endswith('..."')


@pytest.mark.parametrize("key", ["mem-2026-02-12-001", "mem-2026-11-22-k7q2m9xa"])
@pytest.mark.parametrize("level", ["relevant", "metadata", "chunks"])
def test_the_commands_know_an_entry_by_what_a_line_calls_it(key, level):
    """Also one with three digits, whose last part alone is too short for that."""
    known = card(1).replace(id=key)
    name = describe(known, level, 200).split()[0].rstrip(":")
    assert pick([known, card(2)], name) == known
