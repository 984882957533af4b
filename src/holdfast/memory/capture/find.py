"""Finds the candidates of a conversation: the entry point of capture."""

from __future__ import annotations

from holdfast.ground.digest import digest
from holdfast.ground.text.words import fold
from holdfast.ground.values import Value
from holdfast.memory.capture.candidate import PLAN, Candidate, make_candidate
from holdfast.memory.capture.cues import begins, says
from holdfast.memory.capture.outcomes import read_outcomes
from holdfast.memory.capture.own_words import own_words
from holdfast.memory.capture.prose import matchable, sentences
from holdfast.memory.capture.remarks import complains, read_note, read_remarks
from holdfast.memory.capture.reports import read_report
from holdfast.memory.capture.statements import Statement, of_model

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
    for candidate in _candidates(messages, settings):
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


def find_unheard(messages: Sequence[Message], since: int) -> list[tuple[Message, str]]:
    """Return the typed messages from byte ``since`` on that make no candidate and yet say something, each with its own
    words: what notes are made of."""
    found = []
    for turn in _turns(messages):
        said = turn.said
        words = read_note(said.text) if said and said.offset >= since else ""
        if said and words and not read_remarks(said.text, turn.before.text if turn.before else ""):
            found.append((said, words))
    return found


class Turn(Value):
    """What the person said, and what came of it until they spoke again.

    ``said``: None for what stands before the first message of the person.
    ``before``: the model's words that the person answers.
    ``told``: the model's words.
    ``after``: the person's next message.
    ``keys``: those of all messages of the turn.
    """

    said: Message | None
    before: Message | None
    told: tuple[Message, ...]
    after: Message | None
    keys: frozenset[str]


def _candidates(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    outcomes = read_outcomes(messages, settings)
    mended = {each.key for each in outcomes if each.mend}
    said = [each for turn in _turns(messages) for each in _of_turn(turn, bool(mended & turn.keys), settings)]
    return [*said, *outcomes]


def _turns(messages: Sequence[Message]) -> list[Turn]:
    starts = [place for place, message in enumerate(messages) if message.role == "user"]
    edges = [0, *starts] if starts[:1] != [0] else starts
    turns: list[Turn] = []
    before: Message | None = None
    for start, end in zip(edges, [*edges[1:], len(messages)], strict=True):
        inside = messages[start:end]
        said = inside[0] if inside and inside[0].role == "user" else None
        told = tuple(message for message in inside if message.role in ("assistant", PLAN))
        after = messages[end] if end < len(messages) else None
        turns.append(Turn(said, before, told, after, frozenset(map(_place, inside))))
        spoken = [message for message in told if message.role == "assistant"]
        before = spoken[-1] if spoken else None
    return turns


def _of_turn(turn: Turn, mended: bool, settings: Mapping[str, Mapping[str, float]]) -> Iterator[Candidate]:
    """Yield what the person's message and the model's words of a turn are worth; ``mended``: an outcome tells of the
    mend already."""
    if turn.said:
        told = turn.before.text if turn.before else ""
        for statement in _without_causes(read_remarks(turn.said.text, told))[:MOST_A_MESSAGE]:
            yield _candidate(statement, turn.said, turn.before, settings)
    report = None if mended else _report(turn)
    if report:
        yield _candidate(report[0], report[1], turn.said, settings)
    answer = sentences(own_words(turn.after.text).text)[:1] if turn.after else []
    for place, message in enumerate(turn.told):
        last = place + 1 == len(turn.told)
        found = _models(message, answer[0] if last and answer else "")
        kept = [each for each in found if each.type != "resolution" or not (mended or report)]
        for statement in _without_causes(kept)[:MOST_A_MESSAGE]:
            yield _candidate(statement, message, turn.told[place - 1] if place else turn.said, settings)


def _report(turn: Turn) -> tuple[Statement, Message] | None:
    """Return the fix that the turn reports, and the message that has its title."""
    spoken = [message for message in turn.told if message.role == "assistant"]
    found = read_report([message.text for message in spoken], turn.said is not None and complains(turn.said.text))
    return (found, next((each for each in spoken if found.text[:40] in each.text), spoken[-1])) if found else None


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
    folded = matchable(taken)
    if statement.type == "validated_pattern":
        return begins("confirms", folded)
    return statement.type != "decision" or not any(says(name, folded) for name in ("refuses", "faults", "corrects"))


def _candidate(
    statement: Statement, message: Message, before: Message | None, settings: Mapping[str, Mapping[str, float]]
) -> Candidate:
    start = max(0, message.text.find(statement.text[:20]))
    around = message.text[max(0, start - 100) : start + 300]
    quotes = [(before.role, before.text[-300:])] if before else []
    quotes.append((message.role, around))
    return make_candidate(statement.type, statement.text, statement.whole or statement.text, quotes, message, settings)


def _place(message: Message) -> str:
    return f"{message.id or message.offset}"


def _keyed(candidate: Candidate, session: str) -> Candidate:
    place = f"{session}:{candidate.key}" if candidate.key.isdigit() else candidate.key
    return candidate.replace(key=f"{place}:{digest(f'{candidate.type} {fold(candidate.title)}', 4)}")
