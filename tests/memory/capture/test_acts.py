"""What a typed sentence does."""

import pytest

from limpet.memory.capture.statements import (
    ACKNOWLEDGES,
    ASKS,
    DIRECTS,
    ORDERS,
    STATES,
    TELLS,
    act_of,
    weight_of,
    without_opening,
)


@pytest.mark.parametrize(
    ("act", "sentences"),
    [
        (ASKS, ["Why is it so slow?", "what does it cost", "por que falha?"]),
        (
            ORDERS,
            ["Show me the log", "now run the tests again", "address 41", "mostra o diff", "Don't write any code yet"],
        ),
        (ACKNOWLEDGES, ["yes please", "ok, go ahead", "that's fine", "vale", "d'accord", "beleza"]),
        (TELLS, ["I ran it and nothing came", "maybe we use Rust some day", "no te preocupes por eso"]),
        (DIRECTS, ["The exporter should never block the request", "ok, don't log the body of a request"]),
        (DIRECTS, ["a senha deve ter doze caracteres", "hay que usar la cola nueva", "il faut garder le cache"]),
        (DIRECTS, ["We only ship it for Linux, right?", "When the flag is off, keep the banner as it is"]),
        (STATES, ["The invoices come from the billing team"]),
    ],
)
def test_acts(act, sentences):
    """In four languages; a nod that is asked for and a case that is named ask nothing."""
    assert [(sentence, act_of(sentence)) for sentence in sentences] == [(sentence, act) for sentence in sentences]


def test_words_that_only_open_a_sentence_are_taken_off():
    """However many; a name stays."""
    assert without_opening("ok, so well, use tabs") == "use tabs"
    assert without_opening("Okta holds the users") == "Okta holds the users"


def test_weight_is_the_words_that_say_something():
    """No stop words, no numbers."""
    assert weight_of("it is the 3 of them") == 0
    assert weight_of("the queue of 12 exports") == 2
