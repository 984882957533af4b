"""The job of the star-commands that write memories, and of the word for a rule. They are typed by the person at the
host, so the caller is a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.trust.approvals import TYPED
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.approval import PersonWord
from limpet.operations.caller import Caller
from limpet.operations.learning.deciding import approve_proposal
from limpet.operations.learning.proposals import find_proposal
from limpet.operations.memory.change import forget_memory, remember_memory
from limpet.operations.memory.gotchas import note_gotcha
from limpet.operations.project import Project, clean, open_as
from limpet.operations.surroundings import Surroundings

LONGEST_TITLE = 120
CONFIDENCE = 1.0


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Do a star-command; return ``lines`` for the person, of which one says what went wrong.

    ``orders``: ``command`` (one of ``COMMANDS``), ``text`` behind it, ``now`` in seconds since 1970, and perhaps
    ``session``.
    """
    around = Surroundings(conversation=str(orders.get("session") or ""))
    caller = Caller(reader=WHOLE_STORE, now=float(orders["now"]), surroundings=around)
    project = open_as(workspace, caller)
    try:
        # The answer repeats the words, and a title is cut from them: they lose their secrets first.
        lines = COMMANDS[orders["command"]](project, clean(project, str(orders["text"])))
    except LimpetError as error:
        lines = [f"Nothing was changed: {error}"]
    return {"lines": [line for line in lines if line]}


def _remember(project: Project, text: str) -> list[str]:
    kept = remember_memory(project, {**_fields(text), "type": "lesson"}, text, "*remember")
    return [f"Remembered as {kept.stored.entry.id}: {kept.stored.entry.title}", *kept.notices]


def _gotcha(project: Project, text: str) -> list[str]:
    fields = {**_fields(text), "severity": "warning", "category": "general"}
    kept = note_gotcha(project, text, fields, "*gotcha")
    return [f"Gotcha {kept.stored.entry.id}: {kept.stored.entry.title}", *kept.notices]


def _forget(project: Project, text: str) -> list[str]:
    key = text.split()[0]
    away = forget_memory(project, key, "*forget")
    return [f"Forgot {key}. Undo: `limpet memory undo {key}`", away.notice]


def _approve(project: Project, text: str) -> list[str]:
    key, domain, sentence = text.split(" ", 2)
    agreed = PersonWord(says=sentence, how=TYPED)
    edit = approve_proposal(project, find_proposal(project, key), lambda says, shown=None: agreed, sentence, domain)
    return [line.strip() for line in edit.note.splitlines()]


def _fields(text: str) -> dict[str, object]:
    title = text if len(text) <= LONGEST_TITLE else text[: LONGEST_TITLE - 1] + "…"
    return {"title": title, "storage": "durable", "confidence": CONFIDENCE, "source": "person"}


COMMANDS: dict[str, Callable[[Project, str], list[str]]] = {
    "remember": _remember,
    "forget": _forget,
    "gotcha": _gotcha,
    "approve": _approve,
}
