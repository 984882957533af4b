"""What the commands about stories and handoffs share: who writes, and how reasons and exit codes are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from holdfast.cli.memory_view import visible
from holdfast.engine.identity import conversation_of
from holdfast.ground.clock import Clock
from holdfast.ground.errors import HoldfastError
from holdfast.ground.settings import load_settings
from holdfast.ground.workspace import Workspace
from holdfast.work.document import LARGEST
from holdfast.work.keeping import Actor
from holdfast.work.reason import Reason

WRITER = "cli"


def actor_for(workspace: Workspace, agent: str = "", why: str = "") -> Actor:
    """Who acts here and now."""
    settings, _ = load_settings(workspace)
    retention = settings["retention"]
    return Actor(
        writer=WRITER,
        now=Clock().now(),
        retention=retention,
        session=conversation_of(os.environ),
        agent=agent,
        why=why,
    )


def read_given(path: str) -> str:
    """The text of a file that was named, or of stdin for ``-``, its line ends as they are. Raises HoldfastError."""
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1) if path == "-" else _read_file(path)
        text = raw.decode()
    except OSError as error:
        raise HoldfastError(f"cannot be read ({error.strerror})", path) from None
    except UnicodeDecodeError:
        raise HoldfastError("is not UTF-8", path, "save it as UTF-8") from None
    if len(raw) > LARGEST:
        raise HoldfastError(f"holds more than {LARGEST} bytes", path, "keep only what it is for")
    return text


def reason_data(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """The reasons for programs."""
    return [dict(reason.__dict__) for reason in reasons]


def reason_lines(reasons: Iterable[Reason]) -> Iterator[str]:
    """The reasons for people, grave ones marked."""
    for reason in reasons:
        yield visible(f"{'error' if reason.grave else 'note '}  {reason}")


def end_with(failed: bool) -> None:
    """Exit code 1 where something was refused."""
    if failed:
        click.get_current_context().exit(1)


def _read_file(path: str) -> bytes:
    if os.path.exists(path) and not os.path.isfile(path):
        raise HoldfastError("is no file", path)
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)
