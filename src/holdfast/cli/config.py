"""``holdfast config``: the settings in force, and changing them without losing a comment."""

from __future__ import annotations

import os
import sys
import time

import click

from holdfast.cli.completion import complete_setting
from holdfast.cli.output import emit, find_trusted, json_option, require_workspace
from holdfast.ground.config.settings import Layer, leaves, merge_layers, read_layers
from holdfast.ground.formats.yaml_edit import render_value
from holdfast.hosts.surroundings import find_surroundings
from holdfast.operations import settings as operations


@click.group()
def config() -> None:
    """Read, change and check the settings.

    \b
    Examples:
      holdfast config list
      holdfast config set context.budgets.FRESH 3000
    """


@config.command()
@click.argument("key", required=False, shell_complete=complete_setting)
@json_option
def get(key: str | None, as_json: bool) -> None:
    """Print the value of KEY, of every setting in the section KEY, or of all.

    \b
    Examples:
      holdfast config get context.budgets.FRESH
      holdfast config get context
    """
    layers = _layers()
    _warn(layers)
    value = operations.find_setting(merge_layers(layers), key or "")
    if isinstance(value, dict):
        section = [key] if key else []
        lines = [f"{'.'.join([*section, *path])}: {render_value(leaf)}" for path, leaf in leaves(value)]
    else:
        lines = [value if isinstance(value, str) else render_value(value)]
    emit(value, lines, as_json)


# A value may begin with a hyphen.
@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key", shell_complete=complete_setting)
@click.argument("value")
@click.option("--local", "scope", flag_value="local", help="In .holdfast/config.local.yaml, for this machine only.")
@click.option("--user", "scope", flag_value="user", help="In your own config.yaml, for all your projects.")
@json_option
def set_(key: str, value: str, scope: str | None, as_json: bool) -> None:
    """Set KEY to VALUE, written as in YAML, in the project's config.yaml.

    \b
    Examples:
      holdfast config set context.budgets.FRESH 3000
      holdfast config set rules.match substring --local
      holdfast config set work.mode build --user
    """
    workspace = find_trusted() if scope == "user" else require_workspace()
    by_person = sys.stdin.isatty() or not find_surroundings(os.environ).host
    changed = operations.change_setting(workspace, scope or "", key, value, time.time(), by_person)
    lines = [f"{key}: {render_value(changed.value)} ({changed.file})"]
    lines += ["It does not count yet: a person has to agree with `holdfast trust`."] if changed.waits else []
    data = {"key": key, "value": changed.value, "file": changed.file}
    emit({**data, "waits": True} if changed.waits else data, lines, as_json)


@config.command("list")
@json_option
def list_settings(as_json: bool) -> None:
    """Print every setting, its value and where that comes from.

    \b
    Examples:
      holdfast config list
      holdfast config list --json
    """
    layers = _layers()
    _warn(layers)
    rows = operations.list_settings(layers)
    emit(rows, [f"{key}: {render_value(row['value'])}  ({row['from']})" for key, row in rows.items()], as_json)


@config.command()
@json_option
def check(as_json: bool) -> None:
    """Print what is wrong in the configuration files; exit code 1 if anything is.

    \b
    Examples:
      holdfast config check
      holdfast config check --json
    """
    problems = [str(problem) for layer in _layers() for problem in layer.problems]
    emit({"problems": problems}, problems or ["the configuration has no problems"], as_json)
    sys.exit(1 if problems else 0)


def _layers() -> list[Layer]:
    return read_layers(find_trusted())


def _warn(layers: list[Layer]) -> None:
    for layer in layers:
        for problem in layer.problems:
            click.echo(f"holdfast: {problem}", err=True)
