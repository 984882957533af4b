"""What commands print: fitted and coloured in a terminal, plain and uncut everywhere else."""

import os
import subprocess
import sys

import pytest

from ..conftest import SOURCE
from ..terminal import COLUMNS, STYLE, in_terminal, plain_lines

TITLE = "Tokens are signed with EdDSA because RSA keys were too large for the devices we ship to"
SHOW = f"""
from limpet.cli.output import emit
from limpet.cli.screen import show_progress, styled
from limpet.cli.output import table
rows = [("id", "owner", "title"), ("mem-2026-11-23-k7q2m9xa", "qa-implementation-of-the-whole-squad", {TITLE!r})]
with show_progress("Counting") as report:
    report(3, 3)
emit(None, table(rows, heading=True, styles=("bold",)), False)
emit(None, [styled(("green", "green"), " \\x1b[31mred"), "an end"], False)
"""
ORDINARY = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
ENVIRONMENT = {**ORDINARY, "PYTHONPATH": SOURCE, "TERM": "xterm-256color"}
COMMAND = [sys.executable, "-c", SHOW]


def shown(tmp_path, **changes):
    return in_terminal(COMMAND, cwd=tmp_path, env={**ENVIRONMENT, **changes})[0]


def piped(tmp_path, **changes):
    """What it writes to a pipe: stdout and stderr."""
    done = subprocess.run(COMMAND, cwd=tmp_path, env={**ENVIRONMENT, **changes}, capture_output=True, text=True)
    return done.stdout, done.stderr


def test_a_table_fits_the_terminal_and_breaks_no_word(tmp_path):
    """The id stays whole, the title wraps between words, the column between them is cut."""
    lines = plain_lines(shown(tmp_path))
    assert all(len(line) <= COLUMNS for line in lines)
    rows = [line for line in lines if line.startswith(("mem-", " "))]
    assert rows[0].startswith("mem-2026-11-23-k7q2m9xa  qa-impl")
    assert "\u2026" in rows[0]
    assert " ".join(line[rows[0].index("Tokens") :].strip() for line in rows) == TITLE


def test_a_pipe_gets_one_plain_uncut_line_a_row(tmp_path):
    """And no progress."""
    out, err = piped(tmp_path)
    assert out.splitlines() == [
        "id                       owner                                 title",
        f"mem-2026-11-23-k7q2m9xa  qa-implementation-of-the-whole-squad  {TITLE}",
        "green \ufffd[31mred",
        "an end",
    ]
    assert err == ""


def test_styles_are_ours_and_never_a_files(tmp_path):
    """An escape sequence in a text is shown as a replacement character."""
    screen = shown(tmp_path)
    assert "\x1b[32mgreen\x1b[0m \ufffd[31mred" in screen
    assert "\x1b[31m" not in screen


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_colour_can_be_refused(tmp_path, changes):
    """By NO_COLOR, which outweighs FORCE_COLOR, and by a terminal that has none; the table fits all the same."""
    screen = shown(tmp_path, **changes)
    assert not STYLE.search(screen)
    assert all(len(line) <= COLUMNS for line in plain_lines(screen))


def test_colour_can_be_demanded_of_a_pipe(tmp_path):
    """By FORCE_COLOR; rows stay one line each."""
    out, _ = piped(tmp_path, FORCE_COLOR="1")
    assert "\x1b[32mgreen\x1b[0m" in out
    assert TITLE in out


def test_progress_is_shown_and_cleared_in_a_terminal(tmp_path):
    """With how much of how much is done."""
    screen = shown(tmp_path)
    assert "Counting: 3 of 3 (100%)" in screen
    assert not any("Counting" in line for line in plain_lines(screen))
