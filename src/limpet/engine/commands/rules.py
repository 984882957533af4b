"""Star-commands that change the rule files or look into them. They import what no other prompt needs."""

from __future__ import annotations

from limpet.engine.commands.opening import NOT_FIRST, TELL, opens_prompt, safe_words
from limpet.engine.event_context import PREVIEW
from limpet.ground.errors import LimpetError
from limpet.rules.layout import LIMPET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine.event_context import EventContext
    from limpet.operations.rules.transaction import Edit

    Answer = tuple[EventContext, tuple[str, ...]]

FIRST = 5


def govern_rules(context: EventContext, words: tuple[str, ...]) -> Answer:
    """Return the context after ``*limpet`` with these words, and the answer for the block; an edit is in force in
    this very prompt."""
    verb, given = words[0].lower(), words[1:]
    if verb in READING:
        return context, (TELL, *_told(context, lambda: READING[verb](context, given)))
    if not any(opens_prompt(context.event.prompt, name, words) for name in (LIMPET.command, *LIMPET.aliases)):
        return context, (TELL, NOT_FIRST)
    lines = _told(context, lambda: _edited(context, WRITING[verb](context, given)))
    return context.replace(session={**context.session, "reload": True}), (TELL, *lines)


def _told(context: EventContext, answer: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the answer, or in a line what is wrong; a secret that stands in the files stays there."""
    try:
        lines = answer()
    except (LimpetError, OSError) as error:
        lines = (f"Nothing was changed: {error}",)
    return tuple(safe_words(context, line) for line in lines)


def _edited(context: EventContext, edit: Edit) -> tuple[str, ...]:
    lines = list(edit.lines()) or ["nothing to change"]
    head = ["Would change:"] if _is_preview(context) else []
    return (*head, *lines, *map(str, edit.findings))


def _is_preview(context: EventContext) -> bool:
    return context.event.host == PREVIEW


def _create(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, add_domain

    name, *keywords = _need(words, 1, "*limpet create NAME word, word")
    listed = " ".join(keywords)
    recall = (listed,) if "," in listed else tuple(keywords)
    return add_domain(context.workspace, name, DomainPatch(recall=recall or None), dry_run=_is_preview(context))


def _add(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, edit_domain

    name, *rule = _need(words, 2, "*limpet add DOMAIN what the rule says")
    return edit_domain(context.workspace, name, DomainPatch(add_rules=(" ".join(rule),)), _is_preview(context))


def _edit(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, edit_domain

    name, which, *rule = _need(words, 3, "*limpet edit DOMAIN N new text of rule N")
    return edit_domain(context.workspace, name, DomainPatch(rules=((which, " ".join(rule)),)), _is_preview(context))


def _suggest(context: EventContext, words: tuple[str, ...]) -> tuple[str, ...]:
    from limpet.operations.rules.suggest import suggest_words

    name = _need(words, 1, "*limpet suggest DOMAIN")[0]
    found = [one.word for one in suggest_words(context.workspace, name)]
    if not found:
        return (f"No more keywords to suggest for {name.upper()}.",)
    return (
        f"Suggested keywords for {name.upper()}, from its rules: {', '.join(found)}",
        f'To add some: limpet rules edit {name} --add-recall "{found[0]}"',
    )


def _diagnose(context: EventContext, words: tuple[str, ...]) -> tuple[str, ...]:
    from limpet.engine.explain.diagnosis import diagnose

    return diagnose(context.workspace, context.mirror, context.clock, FIRST)


def _need(words: tuple[str, ...], least: int, form: str) -> tuple[str, ...]:
    if len(words) < least:
        raise LimpetError(f"Usage: {form}")
    return words


WRITING: dict[str, Callable[[EventContext, tuple[str, ...]], Edit]] = {
    "create": _create,
    "add": _add,
    "edit": _edit,
}
READING: dict[str, Callable[[EventContext, tuple[str, ...]], tuple[str, ...]]] = {
    "suggest": _suggest,
    "diagnose": _diagnose,
}
