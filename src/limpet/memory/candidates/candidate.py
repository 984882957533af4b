"""A candidate, and its form as a JSON object."""

from __future__ import annotations

from limpet.ground.digest import digest
from limpet.ground.text.escaping import clip
from limpet.ground.text.words import fold
from limpet.ground.values import Value
from limpet.memory.model.types import PRIVATE_TYPES, TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Who spoke.
USER, ASSISTANT = "user", "assistant"
# In characters. Lines of older notes are longer than a candidate's quote.
LONGEST, ID = 2000, 6
# Conversations in which one is asked for; then it counts as not wanted.
MOST_ASKED = 2
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_TEXTS = ("session", "message", "agent", "role", "type", "quote", "before")


class Moment(Value):
    """A message in which something was said, and when, in seconds since 1970."""

    at: float
    session: str
    message: str = ""


class Candidate(Value):
    """What was said once or several times, without secrets.

    ``id``: the same for the same words of the same message, in a copy of the conversation too.
    ``at``, ``session``, ``message``: when and where it was said first; ``again``: when and where it was said since.
    ``agent``: the one that was active, "" for none.
    ``role``: who spoke.
    ``type``: of the memory that it may make, "" for a mere note.
    ``quote``: the words; "" once it was answered, so that a copy of the conversation does not bring it back.
    ``before``: the end of what was said before them.
    ``asked``: the conversations in which a block asked for it.
    """

    id: str
    at: float
    session: str
    message: str = ""
    agent: str = ""
    role: str = USER
    type: str = ""
    quote: str = ""
    before: str = ""
    again: tuple[Moment, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def owner(self) -> str:
        """The agent that it is private to, "" for what everybody may see (decision 22)."""
        return self.agent if self.type in PRIVATE_TYPES else ""

    @property
    def moments(self) -> tuple[Moment, ...]:
        """When and where it was said."""
        return (Moment(self.at, self.session, self.message), *self.again)

    @property
    def is_open(self) -> bool:
        """Whether somebody may be asked for it: a note only once it was said again."""
        return bool(self.quote and (self.type or self.again)) and len(self.asked) < MOST_ASKED

    def answered(self) -> Candidate:
        """Return what is left of it."""
        return Candidate(id=self.id, at=self.at, session=self.session)


def id_of(key: str) -> str:
    """Return the id of a candidate; ``key`` tells its words and their message from all others."""
    number = int(digest(key, 5), 16)
    return "".join(_LETTERS[number >> 5 * place & 31] for place in range(ID))


def same_words(text: str) -> str:
    """Return the text as it is compared: two that differ in case, accents, spaces or the full stop say the same."""
    return fold(" ".join(text.split())).rstrip(" .!;:,")


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return them with the likeliest memory first: the person's before the agent's, what was said twice, corrections
    and decisions, then the newest; of the agent's those that say most."""

    def rank(one: Candidate) -> tuple[object, ...]:
        is_persons = one.role == USER
        says = 0 if is_persons else len(one.quote)
        return is_persons, bool(one.again), one.type in ("user_correction", "decision"), says, one.at

    return sorted(candidates, key=rank, reverse=True)


def write_record(candidate: Candidate) -> dict[str, object]:
    """Return the candidate as it is in a file: what is empty is left out."""
    again = [[each.at, each.session, each.message] for each in candidate.again]
    told = {**candidate.__dict__, "again": again, "asked": list(candidate.asked)}
    return {name: value for name, value in told.items() if value or name == "at"}


def read_record(record: Mapping[str, object]) -> Candidate | None:
    """Return the candidate of a record, None where it is none; a note of an earlier version is one without a type."""
    id, at = record.get("id"), _number(record.get("at"))
    if not isinstance(id, str) or not id:
        return None
    told = {name: value for name in _TEXTS if isinstance(value := record.get(name), str)}
    if isinstance(text := record.get("text"), str):
        id, told["quote"] = id.rpartition("-")[2][:8], text
    if told.get("type") not in TYPES:
        told["type"] = ""
    again, asked = record.get("again"), record.get("asked")
    return Candidate(
        **{**told, "session": told.get("session", ""), "quote": clip(told.get("quote", ""), LONGEST)},
        id=id,
        at=at,
        again=tuple(map(_moment, again)) if isinstance(again, list) else (),
        asked=tuple(map(str, asked)) if isinstance(asked, list) else (),
    )


def _moment(told: object) -> Moment:
    at, session, message = (*told, "", "", "")[:3] if isinstance(told, list) else (0.0, "", "")
    return Moment(_number(at), str(session), str(message))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
