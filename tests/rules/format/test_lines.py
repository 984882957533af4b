"""KEY=VALUE text edited by line: other lines keep their bytes, line ends included."""

import pytest

from limpet.rules.format.lines import insert, remove_line, rename_key, set_key, value_of

TEXT = "# rules\r\nA_STATE = on\r\nA_RECALL=x\r\n\r\nB_STATE=off"


def of_a(key):
    return key.startswith("A_")


def test_a_value_is_replaced_in_its_own_line():
    """The space before it and the line end stay."""
    assert set_key(TEXT, "A_STATE", "off", of_a) == TEXT.replace("= on", "= off")


def test_the_last_line_of_a_key_counts():
    """It is the one that is read, and the one that is changed."""
    text = "A=1\nA=2\n"
    assert value_of(text, "A") == "2"
    assert set_key(text, "A", "3", of_a) == "A=1\nA=3\n"


def test_a_new_key_goes_behind_its_neighbours():
    """In the line ends of the text."""
    assert set_key(TEXT, "A_MATCH", "word", of_a) == TEXT.replace("=x\r\n", "=x\r\nA_MATCH=word\r\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "N=1\n"), ("A=1", "A=1\n\nN=1\n"), ("A=1\n\n", "A=1\n\nN=1\n"), ("A=1\r\n", "A=1\r\n\r\nN=1\r\n")],
)
def test_without_a_neighbour_it_goes_to_the_end(text, expected):
    """Set off by one blank line; a last line without an end gets one."""
    assert insert(text, ["N=1"], lambda key: False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=1\n\nA_1=1\nA_2=2\n\nY=2\n", "X=1\n\nY=2\n"),
        ("X=1\n\nA_1=1\n", "X=1\n"),
        ("X=1\n\nA_1=1\nY=2\n", "X=1\n\nY=2\n"),
        ("X=1\n\n# about A\nA_1=1\n\nY=2\n", "X=1\n\n# about A\n\nY=2\n"),
    ],
)
def test_a_whole_paragraph_goes_with_its_blank_line(text, expected):
    """Comments stay, and so does the blank line before a part of a paragraph."""
    assert remove_line(text, of_a) == expected


def test_keys_are_renamed_and_nothing_else():
    """Neither comments nor values, whatever they hold."""
    text = "# A_STATE=on\n  A_STATE=A_STATE\nB=1\n"
    assert rename_key(text, lambda key: key.replace("A_", "Z_")) == "# A_STATE=on\n  Z_STATE=A_STATE\nB=1\n"
