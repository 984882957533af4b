"""Shared by the commands about stories and handoffs: texts from a file or stdin, reasons, exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from limpet.cli.output import json_fields
from limpet.ground.errors import LimpetError
from limpet.work.markdown_file import LARGEST
from limpet.work.reason import Reason


def read_given(path: str) -> str:
    """Return the text of a named file, or of stdin for ``-``, its line ends as they are. Raises LimpetError."""
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1) if path == "-" else _read_file(path)
        text = raw.decode()
    except OSError as error:
        raise LimpetError(f"Cannot read the file ({error.strerror})", path) from None
    except UnicodeDecodeError:
        raise LimpetError("Not valid UTF-8", path, "save it as UTF-8") from None
    if len(raw) > LARGEST:
        raise LimpetError(f"The file is larger than {LARGEST} bytes", path, "shorten it")
    return text


def reason_data(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Return the reasons as data."""
    return [json_fields(reason) for reason in reasons]


def reason_lines(reasons: Iterable[Reason]) -> Iterator[str]:
    """Yield the reasons as lines, grave ones marked."""
    for reason in reasons:
        yield f"{'error' if reason.grave else 'note '}  {reason}"


def end_with(failed: bool) -> None:
    """Exit with code 1 where something was refused."""
    if failed:
        click.get_current_context().exit(1)


def _read_file(path: str) -> bytes:
    if os.path.exists(path) and not os.path.isfile(path):
        raise LimpetError("Not a file", path)
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)
