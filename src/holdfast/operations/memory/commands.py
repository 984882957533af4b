"""Star-commands that write memories. Who typed them is the person at the host, so their word is a person's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.memory.model.access import PERSON
from holdfast.operations.memory.library import open_library

LONGEST_TITLE = 120
CONFIDENCE = 1.0


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """The lines that answer the person; what is wrong is one of them."""
    library = open_library(workspace, orders, PERSON, "person")
    try:
        text = redact(str(orders["text"]), known=read_secrets(Path(workspace.root)))
        line = COMMANDS[orders["command"]](library, text)
        library.refresh()
    except HoldfastError as error:
        line = f"Nothing was changed: {error}"
    return {"lines": [line]}


def _remember(library: Library, text: str) -> str:
    added = library.add(_told(text, "lesson"), why="*remember")
    return f"Remembered as {added.entry.id}: {added.entry.title}"


def _gotcha(library: Library, text: str) -> str:
    added = library.add({**_told(text, "gotcha"), "severity": "warning", "category": "general"}, why="*gotcha")
    return f"Gotcha {added.entry.id}: {added.entry.title}"


def _forget(library: Library, text: str) -> str:
    library.forget(text.split()[0], why="*forget")
    return f"Forgotten: {text.split()[0]}. `holdfast memory undo {text.split()[0]}` brings it back."


def _told(text: str, kind: str) -> dict[str, object]:
    """What a person asked to be kept is durable and theirs."""
    title = text if len(text) <= LONGEST_TITLE else text[: LONGEST_TITLE - 1] + "…"
    return {
        "type": kind,
        "title": title,
        "body": text,
        "storage": "durable",
        "confidence": CONFIDENCE,
        "source": "person",
    }


COMMANDS: dict[str, Callable[[Library, str], str]] = {"remember": _remember, "forget": _forget, "gotcha": _gotcha}
