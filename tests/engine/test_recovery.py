"""What a conversation is told of the one before it."""

import pytest

from limpet.engine.recovery import lines_beside

WISH = "Amounts of money are integers in cents in every table, every message and all logs, and never floats"


@pytest.mark.parametrize(
    ("line", "title", "stays"),
    [
        (f"Decided: {WISH}", WISH, False),
        (f"Decided: Corrected by the user: {WISH}.", WISH, False),
        (f"Decided: Corrected by the user: {WISH[:50]}...", WISH, False),
        (f"Decided: {WISH}", f"{WISH[:80]}...", False),
        (f'Last user message: "{WISH}."', WISH, False),
        (f'Last user message: "{WISH[:70]}..."', WISH, False),
        (f'Last user message: "{WISH}. Now finish the parser."', WISH, True),
        (f'Last user message: "{WISH}. Now finish the parser."', f"{WISH[:80]}...", True),
        (f"Next action: check that {WISH.lower()}", WISH, True),
        ("Task: Write the parser", "...", True),
        ("Task: Write the parser...", "Use tabs", True),
    ],
)
def test_of_what_was_left_only_what_a_memory_says_whole_is_left_out(line, title, stays):
    other = "Edited: src/a.py"
    assert lines_beside((line, other), [title]) == ((line, other) if stays else (other,))
