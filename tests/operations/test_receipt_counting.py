"""Our pieces, beside what a client was billed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.operations.receipt_counting import ReceiptPiece, SentPiece, SentTurn, count_readings
from limpet.transcripts.messages import UsageLine

START = "2026-11-29T12:00:00Z"
BEGIN = 1795953600.0


def piece(tokens=100, name="API", **more):
    return SentPiece(ReceiptPiece("rules", name, name, "always on", tokens), **more)


def turn(number, *pieces, **more):
    at = f"2026-11-29T12:{number:02}:00Z"
    given = {"event": "prompt", "prompt": number, "prompt_id": f"p{number}", "at": at, "pieces": pieces}
    return SentTurn(**{**given, **more})


def answer(number, asked, read=0, written=0, second=30, **more):
    at = BEGIN + 60 * number + second
    told = {"input": asked - read - written, "cache_read": read, "cache_write": written, "output": 7, "at": at}
    return UsageLine(**{**told, "prompt": f"p{number}", **more})


def figures(found):
    return [(one.read, one.fresh, one.cached) for one in found]


def test_a_piece_is_read_again_with_every_answer():
    """At full price where the client caches nothing."""
    turns, readings = count_readings(
        [turn(1, piece()), turn(2)], [answer(1, 1000), answer(1, 1100, second=40), answer(2, 1300)]
    )
    assert figures(readings) == [(3, 300, 0)]
    assert figures(turns[0].pieces) == [(2, 200, 0)]
    assert (turns[1].carried_fresh, turns[1].carried_cached, turns[1].other) == (100, 0, 1207)


def test_what_the_cache_held_costs_less_the_second_time():
    """As far as the cache reached into the request with which it came: all of it, half of it, nothing."""
    for read, cached in ((1000, 100), (700, 50), (400, 0), (0, 0), (5000, 100)):
        _, readings = count_readings([turn(1, piece()), turn(2)], [answer(1, 1000, read=400), answer(2, 9000, read)])
        assert figures(readings) == [(2, 200 - cached, cached)]


def test_a_compaction_takes_it_out_of_the_window():
    """What is sent then begins anew."""
    turns = [turn(1, piece()), turn(2, piece(50), event="session_start", empties=True), turn(3)]
    _, readings = count_readings(turns, [answer(1, 1000), answer(3, 800)])
    assert figures(readings) == [(1, 100, 0), (1, 50, 0)]


def test_what_came_with_a_file_was_not_in_the_request_before():
    """The call stands in the answer that came before it."""
    late = piece(after=BEGIN + 60 + 35)
    _, readings = count_readings([turn(1, late)], [answer(1, 1000), answer(1, 1100, second=40)])
    assert figures(readings) == [(1, 100, 0)]


def test_what_a_subagent_got_is_not_in_the_main_agents_answers():
    """It is a turn of its own, without a figure of the client's."""
    turns, readings = count_readings(
        [turn(1), turn(1, piece(), event="subagent_start", aside=True)], [answer(1, 1000), answer(1, 2000)]
    )
    assert figures(readings) == [(0, 0, 0)]
    assert [one.usage is None for one in turns] == [False, True]


@pytest.mark.parametrize("prompt", ["", "unknown"])
def test_without_the_prompts_id_the_time_tells_the_turn(prompt):
    """An answer from before the first recorded one stands by itself."""
    answers = [answer(0, 500, prompt=prompt), answer(1, 1000, prompt=prompt), answer(2, 1100, prompt=prompt)]
    turns, _ = count_readings([turn(1), turn(2)], answers)
    assert [(one.event, one.answers) for one in turns] == [("unrecorded", 1), ("prompt", 1), ("prompt", 1)]


def test_where_the_client_counts_less_than_we_do_it_shows():
    """No figure is bent to fit."""
    turns, _ = count_readings([turn(1, piece(2000))], [answer(1, 1000)])
    assert turns[0].other == 1007 - 2000


COUNTS = st.integers(0, 50_000)
ANSWERS = st.lists(st.tuples(st.integers(0, 5), COUNTS, COUNTS, COUNTS), max_size=12)
TURNS = st.lists(st.tuples(st.lists(st.integers(1, 3000), max_size=3), st.booleans(), st.booleans()), max_size=5)


@given(TURNS, ANSWERS)
def test_pieces_and_everything_else_are_always_the_clients_count(turns, answers):
    """Turn by turn, in all, and by piece; nothing is read less than never."""
    sent = []
    for number, (tokens, empties, aside) in enumerate(turns, 1):
        sent.append(turn(number, *map(piece, tokens), empties=empties, aside=aside))
    billed = [answer(number, a + b + c, b, c) for number, a, b, c in sorted(answers)]
    found, readings = count_readings(sent, billed)
    for one in found:
        ours = sum(each.fresh + each.cached for each in one.pieces) + one.carried_fresh + one.carried_cached
        assert one.usage is None or ours + one.other == one.usage.total
    assert sum(one.usage.total for one in found if one.usage) == sum(one.total for one in billed)
    assert sum(one.carried_fresh + sum(each.fresh for each in one.pieces) for one in found) == sum(
        one.fresh for one in readings
    )
    for one in readings:
        assert one.fresh + one.cached == one.read * one.sent.piece.tokens and min(one.fresh, one.cached) >= 0
