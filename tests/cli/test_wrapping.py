"""Long lines and tables in narrow terminals: broken between words, with commands fit to be copied."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limpet.cli.screen import wrapped

LONG = "Never write the amount of an invoice as a floating point number; the sums then differ by a cent between reports"
WORDS = st.sampled_from(
    ["a", "word", "limpet", "memory undo k7q2m9xa", "`npm run lint`", '"a quoted title"', "it's", "(see", "docs/a.md)"]
    + ["Run:", "git add x", "run:", "to", "", "-", "\u6f22\u5b57", "'single", "x" * 30, "`", '"', "so,", "--flag VALUE"]
)


@given(st.lists(WORDS, min_size=1, max_size=40).map(" ".join), st.integers(12, 90), st.sampled_from(["", "  ", "- "]))
@example('To share it, add it first: limpet memory add "TEXT"', 40, "")
def test_no_word_is_lost_and_no_line_too_long(text, room, start):
    """Unless one piece of it is: a command, or a word."""
    line = start + text
    lines = wrapped(line, room)
    assert "".join("".join(lines).split()) == "".join(line.split())
    for before, each in zip(["", *lines], lines, strict=False):
        columns = sum(2 if ord(letter) > 0x2E80 else 1 for letter in each)
        is_command = re.match(r"[- ]*limpet |\s+git |.*`.+`", each) or before.endswith(":")
        assert columns <= room or is_command or " " not in each.strip("- ")


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("  one two three four five", ["  one two three", "  four five"]),
        ("- one two three four five", ["- one two three", "  four five"]),
        ("one two `npm run all` three", ["one two", "`npm run all` three"]),
        ("To undo: limpet memory undo k7q2m9xa", ["To undo:", "limpet memory undo k7q2m9xa"]),
        ("Use limpet why to see what came", ["Use limpet why to", "see what came"]),
        ("Commit it: git add some/where/file.md", ["Commit it:", "git add some/where/file.md"]),
        ("ask: git push forces. Ask first.", ["ask: git push", "forces. Ask first."]),
        ('Kept "one two three" for you', ["Kept", '"one two three" for', "you"]),
        ("  limpet memory edit k7q2m9xa --title x", ["  limpet memory edit k7q2m9xa --title x"]),
        ("one text of\nseveral lines, as it is", ["one text of\nseveral lines, as it is"]),
    ],
)
def test_a_command_stays_whole(line, lines):
    """Where it fits on a line of its own, and where it does not; a line that is a command stays as it is."""
    assert wrapped(line, 19) == lines


def test_what_a_person_agrees_to_is_broken_too(screen, workspace):
    """Between words, as all that is printed."""
    _, said, where, asked, *_ = screen(60, "config", "set", "guard.rules.authority", "false", typed="no\n")
    assert said == "Set guard.rules.authority to false in" and where == f"{workspace.root}/.limpet/config.yaml"
    assert asked.startswith("To agree, type ")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_commands_break_no_word_and_no_command(screen, call, add, columns):
    """In sentences, errors, usage errors and tables."""
    key = add(LONG, "--type", "decision")
    call("rules", "add", "API-ENDPOINTS", "--recall", "endpoint, authentication-layer", "--rule", LONG)
    seen = [
        *screen(columns, "memory", "list"),
        *screen(columns, "rules", "list"),
        *screen(columns, "memory", "list", "--type", "nothing"),
        *screen(columns, "why", "--not", "the amount"),
        *screen(columns, "memory", "write", f"lesson: {LONG}"),
        *screen(columns, "memory", "forget", key),
    ]
    assert all(len(line) <= columns for line in seen if line.split()[:2] != ["git", "add"])
    words = {word for line in seen for word in line.split()}
    assert {*LONG.split()[:-1], "'user_correction',", "authentication-layer", "API_ENDPOINTS"} <= words
    assert any(f"limpet memory undo {key[-8:]}" in line for line in seen)


def test_elsewhere_lines_stay_as_they_are(call, add):
    """Pipes get one line."""
    key = add(LONG)
    assert f'Forgot "{LONG}". Undo within 30 days: limpet memory undo' in call("memory", "forget", key).stdout


def test_what_a_model_gets_is_shown_as_it_is(screen, call):
    """The block's lines are no sentences of ours."""
    call("rules", "add", "MONEY", "--always-on", "--rule", LONG)
    assert any(LONG in line for line in screen(60, "why", "--text", "--for", "hello"))
