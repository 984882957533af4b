"""The door of capture: what a stretch of conversation is worth remembering for."""

from __future__ import annotations

from holdfast.ground.digest import digest
from holdfast.ground.text.words import fold
from holdfast.memory.capture.candidate import Candidate, body_of, confidence_of, paths_in, tags_of, title_of
from holdfast.memory.capture.outcomes import read_outcomes
from holdfast.memory.capture.prose import LONGEST_WORDS, sentences
from holdfast.memory.capture.statements import Statement, confirms, is_question, of_model, of_user, refuses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.memory.capture.candidate import Said

MOST_A_MESSAGE = 4
MOST = 200


def find_candidates(
    messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]], session: str = ""
) -> list[Candidate]:
    """The candidates of a stretch of conversation, at most ``MOST``: what was said, then what tools taught.

    ``messages`` come in order, whatever their room (see ``candidate.Said``); ``settings`` is the configuration's
    section ``memory``; ``session`` names the conversation in the keys where messages have no id. The same sentence is
    one candidate however often it is said. Stretches that overlap give the same keys.
    """
    found: dict[tuple[str, str], Candidate] = {}
    for candidate in [*_statements(messages, settings), *read_outcomes(messages, settings)]:
        said = (candidate.type, fold(candidate.title))
        known = found.get(said)
        found[said] = known.replace(seen=known.seen + candidate.seen) if known else _keyed(candidate, session)
    return list(found.values())[-MOST:]


def find_new(
    messages: Sequence[Said], since: int, settings: Mapping[str, Mapping[str, float]], session: str = ""
) -> list[Candidate]:
    """The candidates that the messages from byte ``since`` make. Those before it were captured already: they only tell
    what the new ones are about, and what they made counts again with its new moments alone."""
    before = find_candidates([said for said in messages if said.offset < since], settings, session)
    known = {(each.type, fold(each.title)): len(each.seen) for each in before}
    found = []
    for each in find_candidates(messages, settings, session):
        if new := each.seen[known.get((each.type, fold(each.title)), 0) :]:
            found.append(each.replace(at=new[0], seen=new))
    return found


def _statements(messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> Iterator[Candidate]:
    words = [said for said in messages if said.role in ("user", "assistant")]
    for place, said in enumerate(words):
        before = words[place - 1] if place else None
        after = words[place + 1] if place + 1 < len(words) else None
        for statement in _said_in(said, before, after)[:MOST_A_MESSAGE]:
            yield _candidate(statement, said, before, settings)


def _said_in(said: Said, before: Said | None, after: Said | None) -> list[Statement]:
    if said.role == "user":
        return _without_causes(_users(said, before))
    taken = sentences(after.text, LONGEST_WORDS) if after and after.role == "user" else []
    return _without_causes(_models(said, taken[0] if taken else ""))


def _without_causes(found: list[Statement]) -> list[Statement]:
    """Without the causes, where the mend is told too: one lesson, which the words around it explain."""
    mended = any(each.type == "resolution" and not each.cause for each in found)
    return [each for each in found if not (mended and each.cause)]


def _users(said: Said, before: Said | None) -> list[Statement]:
    asked = _question_at_the_end(before.text) if before and before.role == "assistant" else ""
    found: list[Statement] = []
    own = sentences(said.text, LONGEST_WORDS)
    for place, sentence in enumerate(own):
        statement = of_user(sentence, "" if place else asked)
        if statement and statement.bare:
            after = own[place + 1] if place + 1 < len(own) else ""
            statement = statement.replace(text=after) if after and not is_question(after) else None
        if statement and all(statement.text != other.text for other in found):
            found.append(statement)
    return found


def _models(said: Said, taken: str) -> list[Statement]:
    """What the model stated; ``taken`` is the first sentence of the user's next message, "" where there is none."""
    told = (of_model(sentence) for sentence in sentences(said.text))
    return [statement for statement in told if statement and _is_taken(statement, taken)]


def _is_taken(statement: Statement, taken: str) -> bool:
    if statement.type == "validated_pattern":
        return confirms(taken)
    return statement.type != "decision" or not refuses(taken)


def _question_at_the_end(text: str) -> str:
    """The last two sentences where the last one asks: what is offered often stands before the question."""
    last = sentences(text)[-2:]
    return " ".join(last) if last and "?" in last[-1] else ""


def _candidate(
    statement: Statement, said: Said, before: Said | None, settings: Mapping[str, Mapping[str, float]]
) -> Candidate:
    context = [(before.role, before.text[-300:])] if before else []
    return Candidate(
        type=statement.type,
        title=title_of(statement.text),
        body=body_of(statement.text, [*context, (said.role, _around(statement.text, said.text))]),
        confidence=confidence_of(statement.type, settings),
        tags=tags_of(statement.text),
        paths=paths_in(statement.text),
        at=said.at,
        seen=(said.at,),
        key=f"{said.id or said.offset}",
    )


def _around(sentence: str, text: str) -> str:
    """The words of the message from shortly before the sentence on."""
    start = max(0, text.find(sentence[:20]))
    return text[max(0, start - 100) : start + 300]


def _keyed(candidate: Candidate, session: str) -> Candidate:
    place = f"{session}:{candidate.key}" if candidate.key.isdigit() else candidate.key
    return candidate.replace(key=f"{place}:{digest(f'{candidate.type} {fold(candidate.title)}', 4)}")
