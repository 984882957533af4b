"""``limpet guard undo``: puts a file back that an agent changed though it may not."""

from __future__ import annotations

import os

import click

from limpet.cli.output import emit, json_option, require_workspace
from limpet.engine.guard.undo import undo as put_back


@click.command()
@click.argument("file", type=click.Path())
@json_option
def undo(file: str, as_json: bool) -> None:
    """Put a file back as it was before a turn changed it.

    Of the files that you were told of at the end of a turn. One that changed since is left as it is.

    \b
    Examples:
      limpet guard undo src/login.py
    """
    folder, name = os.path.split(os.path.abspath(file))
    path = os.path.join(os.path.realpath(folder), name)  # a link that an agent put there is the file itself
    done = put_back(require_workspace(), path)
    emit({"file": path, "done": done}, [f"{done}: {file}"], as_json)
