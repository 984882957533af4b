"""Make docs/commands.md and the table of settings in docs/config.md: python tools/reference.py

The one is made of the commands' own help, the other of the defaults and the schema. Run it when one of them changes; a
test compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from limpet.cli import limpet
from limpet.cli.groups import Commands
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.settings import value_at
from limpet.ground.formats.schema import leaf_paths, load_schema
from limpet.ground.formats.yaml_edit import render_value

DOCS = Path(__file__).parents[1] / "docs"
HEAD = """\
# Commands

What every command does, as its help says it. `limpet COMMAND --help` lists the options and shows examples.
What can be typed in a prompt: `*limpet help` there, and [rules.md](rules.md#star-commands).
"""
# The settings that a reader of docs/config.md would look for, at most 60; `limpet config get` prints every one, and the
# page of their subject names more.
DOCUMENTED = """
    context.brackets.FRESH context.brackets.MODERATE context.brackets.DEPLETED context.handoff_below
    context.budgets.FRESH context.budgets.MODERATE context.budgets.DEPLETED context.budgets.CRITICAL
    context.repeat_after context.files.tokens
    context.subagents.told
    rules.match rules.checks rules.full
    memory.capture memory.capture_model memory.extraction.calls_a_day
    memory.undo_days memory.wishes.FRESH memory.deeds.refuse memory.heard.shown
    learning.observe
    work.gate work.approve work.checks work.check_seconds work.lock.instruction_file
    guard.permission guard.unclear guard.authority guard.tools guard.subagents guard.secrets_in guard.outside
    hosts.visible hosts.status_line hosts.attended
    recovery.spawn
    retention.days retention.archive_days
""".split()
SETTINGS = re.compile(r"(?<=^\| Key \| Default \| Meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)*", re.MULTILINE)


def main() -> None:
    """Write both pages."""
    (DOCS / "commands.md").write_text(commands_page(), encoding="utf-8")
    config = DOCS / "config.md"
    config.write_text(with_settings(config.read_text(encoding="utf-8")), encoding="utf-8")


def commands_page() -> str:
    """Return docs/commands.md."""
    parts = [HEAD]
    context = click.Context(limpet, info_name="limpet", **limpet.context_settings)
    for heading, names in limpet.sections.items():
        parts.append(f"\n## {heading}\n\n")
        for name in names:
            command = limpet.get_command(context, name)
            assert command is not None, name
            parts += [] if command.hidden else _described(command, click.Context(command, context, name))
    return "".join(parts)


def with_settings(page: str) -> str:
    """Return docs/config.md with its table of settings as they are."""
    rows = []
    for path, schema in leaf_paths(load_schema("config")):
        key = ".".join(path)
        if key in DOCUMENTED:
            rows.append(f"| `{key}` | `{render_value(value_at(DEFAULTS, path))}` | {schema['description']} |\n")
    return SETTINGS.sub(lambda _: "".join(rows), page, count=1)


def _described(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield a line for the command, or one for each command of a group."""
    if isinstance(command, Commands):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            if not below.hidden:
                yield from _described(below, click.Context(below, context, name))
        return
    words = [context.command_path]
    words += [
        piece for piece in command.collect_usage_pieces(context) if piece not in ("[OPTIONS]", "COMMAND [ARGS]...")
    ]
    yield f"- `{' '.join(words)}`: {_sentence(command)}\n"


def _sentence(command: click.Command) -> str:
    """Return the first paragraph of the help."""
    paragraph = (command.help or "").split("\n\n")[0]
    return " ".join(paragraph.split())


if __name__ == "__main__":
    main()
