"""Groups of commands under headings, and a suggestion for a mistyped command or choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from holdfast.ground.text.lookup import did_you_mean

if TYPE_CHECKING:
    AnyChoice = click.Choice[str]
else:
    AnyChoice = click.Choice

_WHOLE = 1000
_OTHER = "Other"


class Commands(click.Group):
    """A group whose help lists its commands under headings.

    ``sections``: the names of its commands by heading, in order; those that are in none come last.
    """

    def __init__(self, *args: Any, sections: Mapping[str, tuple[str, ...]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the headings."""
        known = super().list_commands(ctx)
        listed = [name for names in self.sections.values() for name in names if name in known]
        return [*listed, *(name for name in known if name not in listed)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands with their first lines for each heading."""
        for heading, rows in self._rows(ctx):
            with formatter.section(heading):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what completes the word: commands, with the first lines that the help shows, and options."""
        shown, items = self._shown(ctx), super().shell_complete(ctx, incomplete)
        for item in items:
            if item.value in shown:
                item.help = shown[item.value].get_short_help_str(_WHOLE)
        return items

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; an unknown one fails with the most similar name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
            meant = _sentence(did_you_mean(args[0], self._shown(ctx))) or f"Run: {ctx.command_path} --help"
            ctx.fail(f"No such command {args[0]!r}. {meant}")

    def _rows(self, ctx: click.Context) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        shown = self._shown(ctx)
        listed = {name for names in self.sections.values() for name in names}
        rest = tuple(name for name in shown if name not in listed)
        for heading, names in {**self.sections, (_OTHER if self.sections else "Commands"): rest}.items():
            rows = [(name, shown[name].get_short_help_str(_WHOLE)) for name in names if name in shown]
            if rows:
                yield heading, rows

    def _shown(self, ctx: click.Context) -> dict[str, click.Command]:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        return {name: command for name, command in commands.items() if command and not command.hidden}


class Choice(AnyChoice):
    """A choice whose error suggests the most similar value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value. Raise click.BadParameter for one that is none of the choices."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            meant = _sentence(did_you_mean(str(value), map(str, self.choices)))
            self.fail(f"{error.message} {meant}".strip(), param, ctx)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
