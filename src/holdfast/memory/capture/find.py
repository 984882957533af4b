"""Finds the candidates of a conversation: the entry point of capture."""

from __future__ import annotations

from holdfast.ground.digest import digest
from holdfast.ground.text.words import fold
from holdfast.memory.capture.candidate import Candidate, body_of, confidence_of, paths_in, tags_of, title_of
from holdfast.memory.capture.outcomes import read_outcomes
from holdfast.memory.capture.prose import LONGEST_WORDS, sentences
from holdfast.memory.capture.remarks import read_remarks
from holdfast.memory.capture.statements import Statement, confirms, of_model, refuses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.memory.capture.candidate import Message

MOST_A_MESSAGE = 4
MOST = 200


def find_candidates(
    messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]], session: str = ""
) -> list[Candidate]:
    """Return the candidates of these messages, at most ``MOST``: what was said, then what tools taught.

    ``messages`` come in order, whatever their room (see ``candidate.Message``). ``settings`` is the configuration's
    section ``memory``. ``session`` names the conversation in the keys where messages have no id. The same sentence is
    one candidate however often it is said. Messages that are read twice give the same keys.
    """
    found: dict[tuple[str, str], Candidate] = {}
    for candidate in [*_statements(messages, settings), *read_outcomes(messages, settings)]:
        key = (candidate.type, fold(candidate.title))
        known = found.get(key)
        found[key] = known.replace(seen=known.seen + candidate.seen) if known else _keyed(candidate, session)
    return list(found.values())[-MOST:]


def find_new(
    messages: Sequence[Message], since: int, settings: Mapping[str, Mapping[str, float]], session: str = ""
) -> list[Candidate]:
    """Return the candidates that the messages from byte ``since`` make.

    Those before it were captured already: they only tell what the new ones are about, and what they made counts again
    with its new times alone.
    """
    before = find_candidates([message for message in messages if message.offset < since], settings, session)
    known = {(each.type, fold(each.title)): len(each.seen) for each in before}
    found = []
    for each in find_candidates(messages, settings, session):
        if new := each.seen[known.get((each.type, fold(each.title)), 0) :]:
            found.append(each.replace(at=new[0], seen=new))
    return found


def _statements(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> Iterator[Candidate]:
    words = [message for message in messages if message.role in ("user", "assistant")]
    for place, message in enumerate(words):
        before = words[place - 1] if place else None
        after = words[place + 1] if place + 1 < len(words) else None
        for statement in _stated_in(message, before, after)[:MOST_A_MESSAGE]:
            yield _candidate(statement, message, before, settings)


def _stated_in(message: Message, before: Message | None, after: Message | None) -> list[Statement]:
    if message.role == "user":
        return _without_causes(read_remarks(message.text, before.text if before and before.role == "assistant" else ""))
    taken = sentences(after.text, LONGEST_WORDS) if after and after.role == "user" else []
    return _without_causes(_models(message, taken[0] if taken else ""))


def _without_causes(found: list[Statement]) -> list[Statement]:
    """Return the statements without the causes where a fix is stated too: both are one lesson."""
    fixed = any(each.type == "resolution" and not each.cause for each in found)
    return [each for each in found if not (fixed and each.cause)]


def _models(message: Message, taken: str) -> list[Statement]:
    """Return what the model stated; ``taken`` is the first sentence of the user's next message, "" where there is
    none."""
    told = (of_model(sentence) for sentence in sentences(message.text))
    return [statement for statement in told if statement and _is_taken(statement, taken)]


def _is_taken(statement: Statement, taken: str) -> bool:
    if statement.type == "validated_pattern":
        return confirms(taken)
    return statement.type != "decision" or not refuses(taken)


def _candidate(
    statement: Statement, message: Message, before: Message | None, settings: Mapping[str, Mapping[str, float]]
) -> Candidate:
    context = [(before.role, before.text[-300:])] if before else []
    around = _around(statement.text, message.text)
    return Candidate(
        type=statement.type,
        title=title_of(statement.text),
        body=body_of(statement.whole or statement.text, [*context, (message.role, around)]),
        confidence=confidence_of(statement.type, settings),
        tags=tags_of(statement.text),
        paths=paths_in(statement.text),
        at=message.at,
        seen=(message.at,),
        key=f"{message.id or message.offset}",
    )


def _around(sentence: str, text: str) -> str:
    """Return the message from shortly before the sentence to shortly after it."""
    start = max(0, text.find(sentence[:20]))
    return text[max(0, start - 100) : start + 300]


def _keyed(candidate: Candidate, session: str) -> Candidate:
    place = f"{session}:{candidate.key}" if candidate.key.isdigit() else candidate.key
    return candidate.replace(key=f"{place}:{digest(f'{candidate.type} {fold(candidate.title)}', 4)}")
