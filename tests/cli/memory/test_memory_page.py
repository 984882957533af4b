"""docs/memory.md: every command on the page does what the page shows."""

from ..pages import check_lines, page_commands

SHOWN = "mem-2026-11-21-k7q2m9xa"


def test_every_command_of_the_page_does_what_it_shows(call):
    """In one project, from the first to the last; the page's id stands for that of the first memory."""
    commands, real = page_commands("memory"), ""
    assert len(commands) > 12
    for (_, *words), shown in commands:
        done = call(*(word.replace(SHOWN[-8:], real[-8:] or SHOWN[-8:]) for word in words))
        real = real or done.stdout.strip()
        text = (done.stdout + done.stderr).replace(real, SHOWN).replace(real[-8:], SHOWN[-8:])
        check_lines([line.rstrip() for line in text.splitlines()], shown)
