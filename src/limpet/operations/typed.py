"""Star-commands that write, carried out for the person who typed them at the host. Each takes what stands behind its
name, and returns lines for the person."""

from __future__ import annotations

from collections.abc import Callable

from limpet.ground.trust.approvals import TYPED
from limpet.operations.project import Project


def command_of(word: str) -> Callable[[Project, str], list[str]]:
    """``word``: a name of a star-command, or a word of ``/limpet``."""
    if word in COMMANDS:
        return COMMANDS[word]
    from limpet.operations.front import WORDS  # which few commands need

    return WORDS[word]


def _remember(project: Project, text: str) -> list[str]:
    from limpet.memory.capture.statements import read_remark
    from limpet.memory.model.entry import WISH
    from limpet.operations.memory.change import remember_memory

    remark = read_remark(text, False)
    is_wish = remark is not None and remark[0] == WISH  # which opens every conversation
    fields = {**_typed_fields(text), "type": WISH if is_wish else "lesson"}
    kept = remember_memory(project, fields, text, "*remember")
    return [f"Remembered as {kept.stored.entry.id}: {kept.stored.entry.title}", *kept.notices]


def _note_gotcha(project: Project, text: str) -> list[str]:
    from limpet.operations.memory.gotchas import note_gotcha

    fields = {**_typed_fields(text), "severity": "warning", "category": "general"}
    kept = note_gotcha(project, text, fields, "*gotcha")
    return [f"Gotcha {kept.stored.entry.id}: {kept.stored.entry.title}", *kept.notices]


def _forget(project: Project, text: str) -> list[str]:
    from limpet.operations.memory.change import forget_memory

    key = text.split()[0]
    away = forget_memory(project, key, "*forget")
    return [f"Forgot {key}. Undo: `limpet memory undo {key}`", away.notice]


def _approve(project: Project, text: str) -> list[str]:
    from limpet.operations.approval import PersonWord
    from limpet.operations.learning.deciding import approve_proposal
    from limpet.operations.learning.proposals import find_proposal

    key, domain, sentence = text.split(" ", 2)
    agreed = PersonWord(says=sentence, how=TYPED)
    edit = approve_proposal(project, find_proposal(project, key), lambda says, shown=None: agreed, sentence, domain)
    return [line.strip() for line in edit.note.splitlines()]


def _typed_fields(text: str) -> dict[str, object]:
    title = text if len(text) <= 120 else f"{text[:119]}…"
    return {"title": title, "storage": "durable", "confidence": 1.0, "source": "person"}


COMMANDS: dict[str, Callable[[Project, str], list[str]]] = {
    "remember": _remember,
    "forget": _forget,
    "gotcha": _note_gotcha,
    "approve": _approve,
}
