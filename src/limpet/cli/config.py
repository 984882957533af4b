"""``limpet config``: the settings in force, and changing them without losing a comment."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.completion import complete_setting
from limpet.cli.groups import Commands
from limpet.cli.output import emit, find_trusted, json_option, require_workspace, table, tell
from limpet.cli.screen import Line, is_terminal
from limpet.ground.config.settings import Layer, leaves, merge_layers, read_layers
from limpet.ground.formats.yaml_edit import render_value
from limpet.operations import settings as operations


@click.group(cls=Commands)
def config() -> None:
    """Read and change the settings.

    \b
    Examples:
      limpet config get
      limpet config set context.budgets.FRESH 3000
    """


@config.command("get")
@click.argument("key", required=False, shell_complete=complete_setting)
@json_option
def get_config_value(key: str | None, as_json: bool) -> None:
    """Print a setting, or all of them with their sources.

    \b
    Examples:
      limpet config get
      limpet config get context.budgets.FRESH
      limpet config get context
    """
    layers = _layers()
    if not key:
        rows = operations.listed_settings(layers)
        emit(rows, _setting_lines(rows), as_json)
        return
    value = operations.find_setting(merge_layers(layers), key)
    if isinstance(value, dict):
        lines = [f"{'.'.join([key, *path])}: {render_value(leaf)}" for path, leaf in leaves(value)]
    else:
        lines = [value if isinstance(value, str) else render_value(value)]
    emit(value, lines, as_json)


# A value may begin with a hyphen.
@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key", shell_complete=complete_setting)
@click.argument("value")
@click.option("--local", "scope", flag_value="local", help="Write to your own file for this project.")
@click.option("--user", "scope", flag_value="user", help="Write to your own config.yaml (all your projects).")
@yes_option
@json_option
def set_config_value(key: str, value: str, scope: str | None, agreed: bool, as_json: bool) -> None:
    """Change a setting. Comments in the file are kept.

    VALUE is written as in YAML. Without an option, the project's .limpet/config.yaml is changed. A setting that
    spends, runs, deletes, loosens the guard or makes you wait takes a person's word.

    \b
    Examples:
      limpet config set context.budgets.FRESH 3000
      limpet config set rules.match substring --local
      limpet config set work.mode build --user
    """
    workspace = find_trusted() if scope == "user" else require_workspace()
    obtain = obtain_for(workspace, agreed)
    new, file = operations.change_setting(workspace, scope or "", key, value, time.time(), obtain)
    emit({"key": key, "value": new, "file": file}, [f"{key}: {render_value(new)} ({file})"], as_json)


def _setting_lines(rows: dict[str, dict[str, Any]]) -> Iterable[Line]:
    cells = [(key, render_value(row["value"]), row["from"]) for key, row in rows.items()]
    if not is_terminal():
        return [f"{key}: {value}  ({source})" for key, value, source in cells]
    ordered = [(key, source, value) for key, value, source in cells]
    return table([("setting", "from", "value"), *ordered], heading=True, styles=("", "dim", "bold"), spare=("from",))


def _layers() -> list[Layer]:
    layers = read_layers(find_trusted())
    for layer in layers:
        tell(*layer.problems)
    return layers
