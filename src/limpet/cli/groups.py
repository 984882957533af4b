"""Groups whose commands are imported when they are asked for, and a suggestion for a mistyped command or choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from limpet.ground.text.lookup import did_you_mean
from limpet.work.conversation import any_private

if TYPE_CHECKING:
    AnyChoice = click.Choice[str]
else:
    AnyChoice = click.Choice

# Where the outermost context says that its help lists every command.
LIST_ALL = "limpet.list_all"
_WHOLE = 1000
HELP = frozenset(("-h", "--help"))


class Commands(click.Group):
    """A group whose help lists its commands under headings.

    ``sections``: its commands by heading, in order; those that are in none come last. A mapping has the command of each
    name, of a ``Late`` module: it is imported when the command is asked for.
    ``everyday``: the commands, also of its groups, that its help shows in place of all, unless all are asked for.
    ``below``: command -> the group that has it, of those that are understood without the group's name.
    """

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Iterable[str]] | None = None,
        everyday: tuple[str, ...] = (),
        below: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.everyday = everyday
        self.sections = {heading: tuple(names) for heading, names in (sections or {}).items()}
        self.below = below or {}
        self.places: dict[str, Any] = {}
        for names in (sections or {}).values():
            if isinstance(names, Mapping):
                self.places.update(names)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()  # with 0: a mistake has no help
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        known = {*self.places, *self.commands}
        listed = [name for name in chain.from_iterable(self.sections.values()) if name in known]
        return [*listed, *(name for name in super().list_commands(ctx) if name not in listed)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.places and cmd_name not in self.commands:
            place = self.places[cmd_name]
            self.commands[cmd_name] = getattr(import_module(place.__module__), place.__name__)
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in self.below:
            group = self.get_command(ctx, self.below[cmd_name])
            return group.get_command(ctx, cmd_name) if isinstance(group, click.Group) else None
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.everyday and not ctx.find_root().meta.get(LIST_ALL):
            with formatter.section("Every day"):
                formatter.write_dl([(path, self._find(ctx, path).get_short_help_str(_WHOLE)) for path in self.everyday])
            with formatter.section("All commands"):
                formatter.write_text(f"{ctx.command_path} help --all")
            return
        shown = self._shown(ctx)
        listed = set(chain.from_iterable(self.sections.values()))
        rest = tuple(name for name in shown if name not in listed)
        for heading, names in {**self.sections, ("Other" if self.sections else "Commands"): rest}.items():
            rows = [(name, shown[name].get_short_help_str(_WHOLE)) for name in names if name in shown]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        shown, items = self._shown(ctx), super().shell_complete(ctx, incomplete)
        for item in items:
            if item.value in shown:
                item.help = shown[item.value].get_short_help_str(_WHOLE)
        return items

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            found = super().resolve_command(ctx, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
            meant = _sentence(did_you_mean(args[0], self._shown(ctx))) or f"Run: {ctx.command_path} --help"
            ctx.fail(f"No such command {args[0]!r}. {meant}")
        name, command, rest = found
        is_run = not (isinstance(command, click.Group) or ctx.resilient_parsing or HELP.intersection(rest))
        if is_run and any_private():
            from limpet.cli.caller import refuse_in_private

            refuse_in_private((*ctx.command_path.split()[1:], str(name), *rest))
        return found

    def _find(self, ctx: click.Context, path: str) -> click.Command:
        command: click.Command = self
        for name in path.split():
            assert isinstance(command, click.Group)
            found = command.get_command(ctx, name)
            assert found is not None, path
            command = found
        return command

    def _shown(self, ctx: click.Context) -> dict[str, click.Command]:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        return {name: command for name, command in commands.items() if command and not command.hidden}


class SuggestingChoice(AnyChoice):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            meant = _sentence(did_you_mean(str(value), map(str, self.choices)))
            self.fail(f"{error.message} {meant}".strip(), param, ctx)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


@click.command("help", hidden=True)
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="List every command.")
@click.pass_context
def help_page(context: click.Context, words: tuple[str, ...], everything: bool) -> None:
    """Show the everyday commands, or the help of one.

    \b
    Examples:
      limpet help
      limpet help --all
      limpet help rules add
    """
    root = context.find_root()
    if words:
        root.command.main([*words, "--help"], prog_name=root.info_name)
    root.meta[LIST_ALL] = everything
    click.echo(root.get_help())
