"""Candidates: words of a conversation that may be worth a memory, until whoever understood them writes a sentence or
drops them. Separate from the entries, because a candidate is nobody's knowledge yet: a search finds it, and no list
shows it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.durable import make_folder, write_durably
from limpet.ground.storage.files import names_in, read_bytes, read_text
from limpet.ground.storage.json_lines import parse_lines
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.values import Value
from limpet.memory.files.copies import CANDIDATES, drop_copies
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.model.entry import PRIVATE_TYPES, STATED_TYPES, TYPES

# Who spoke.
USER, ASSISTANT = "user", "assistant"
# In characters. Lines of older notes are longer than a candidate's quote.
LONGEST, ID = 2000, 6
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_TEXTS = ("session", "message", "agent", "role", "type", "quote", "before", "entry")
DROP, REPEATS, REPLACES, ENDS, WRITE = "drop", "repeats", "replaces", "ends", "write"
FORM = (
    'Write "ID: SENTENCE", "ID: drop", "ID: repeats MEMORY", "ID: replaces MEMORY: SENTENCE", "ID: ends MEMORY" or'
    ' "TYPE: SENTENCE"'
)
LONGEST_ANSWER = 300
_NAMED = re.compile(r"\s*([\w-]+)\s*:\s*(.*)\Z", re.DOTALL)
_ABOUT = re.compile(r"(repeats|ends|replaces)\s+([\w-]*\d[\w-]*|[a-z-]{4,8})\s*(?::\s*(.*))?\.?\Z", re.DOTALL)
# An id in any dress, and a word that only stands for one.
_AN_ID = r"[\[(<#\"'`]*(?:mem-[\w-]+|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,8}|memory|id)\b[\])>\"'`]*"
# Begins like an answer that does something, and has no form of one: "drop: why", "replaces ID" without a sentence; or
# is one word. A short id may be letters alone.
_UNFINISHED = re.compile(
    r"drop(?:s|ped)?(?:\W*\Z|\s*[:,;(]|\s+[\u2013\u2014-]"
    rf"|\s+(?:it|this|that|{_AN_ID})(?:\W*\Z|[,;:.])|(?:\s+(?:it|this|that))?\s+(?:because|as|since)\b)"
    rf"|(?:repeat|replace|end)(?:s|ed|d)?(?:\W*\Z|\s*:|\s+{_AN_ID}\s*(?:[:.]|\Z))"
    rf"|(?:repeats|replaces|ends)\s+(?:{_AN_ID}|(?:\S+\s+){{0,2}}\S+\s*:(?!\S)|(?-i:[a-hjkmnp-tv-z]{{8}})(?!\w))"
    rf"|(?-i:{'|'.join(TYPES)})\s*:"
    r"|[!-~]*\Z",
    re.IGNORECASE,
)
FOLDER, OPEN = CANDIDATES, "open.json"
ENDING = ".jsonl"
# Bytes of a day that are read and kept, and days that are read, the newest.
LARGEST_DAY = 1_000_000
MOST_DAYS = 400


class Moment(Value):
    at: float
    session: str
    message: str = ""


class Candidate(Value):
    """What was said once or several times, without secrets.

    ``id``: the same for the same words of the same message, in a copy of the conversation too.
    ``at``, ``session``, ``message``: when and where it was said first; ``again``: when and where it was said since.
    ``type``: of the memory that it may make, "" for a mere note.
    ``quote``: the words; "" once it was answered, so that a copy of the conversation does not bring it back, and where
    they stand in an ``entry`` already, which an answer then gives its sentence. ``alone``: they need none.
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
    entry: str = ""
    alone: bool = False
    again: tuple[Moment, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def owner(self) -> str:
        """The agent that it is private to, "" for what everybody may see (decision 22)."""
        return self.agent if self.type in PRIVATE_TYPES else ""

    @property
    def moments(self) -> tuple[Moment, ...]:
        return (Moment(self.at, self.session, self.message), *self.again)

    @property
    def is_open(self) -> bool:
        """It is asked for once, and of the person's words alone; a note only where it was said again."""
        is_unclear = self.entry and not self.alone
        return bool(is_unclear or (self.quote and (self.type or self.again))) and self.role == USER and not self.asked

    def answered(self) -> Candidate:
        return Candidate(id=self.id, at=self.at, session=self.session)


def candidate_id_of(key: str) -> str:
    """``key`` tells the candidate's words and their message from all others."""
    number = int(digest(key, 5), 16)
    return "".join(_LETTERS[number >> 5 * place & 31] for place in range(ID))


def same_words(text: str) -> str:
    """Return the text as it is compared: without case, accents, spaces and the full stop."""
    return fold(" ".join(text.split())).rstrip(" .!;:,")


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The likeliest memory first: what was said twice, corrections and decisions, then the newest."""

    def rank(one: Candidate) -> tuple[object, ...]:
        return bool(one.again), one.type in STATED_TYPES, one.at

    return sorted(candidates, key=rank, reverse=True)


def write_record(candidate: Candidate) -> dict[str, object]:
    """What is empty is left out."""
    again = [[each.at, each.session, each.message] for each in candidate.again]
    told = {**candidate.__dict__, "again": again, "asked": list(candidate.asked)}
    return {name: value for name, value in told.items() if value or name == "at"}


def read_candidate(record: Mapping[str, object]) -> Candidate | None:
    """Return None where the record is no candidate."""
    id, at = record.get("id"), _number(record.get("at"))
    if not isinstance(id, str) or not id:
        return None
    told = {name: value for name in _TEXTS if isinstance(value := record.get(name), str)}
    if told.get("type") not in TYPES:
        told["type"] = ""
    again, asked = record.get("again"), record.get("asked")
    return Candidate(
        **{**told, "session": told.get("session", ""), "quote": clip(told.get("quote", ""), LONGEST)},
        id=id,
        at=at,
        alone=record.get("alone") is True,
        again=tuple(map(_moment, again)) if isinstance(again, list) else (),
        asked=tuple(map(str, asked)) if isinstance(asked, list) else (),
    )


class CandidateAnswer(Value):
    """An answer. ``id``: the candidate's, "" for a finding of one's own, which has a ``type``. ``memory``: the entry
    that it repeats, replaces or ends."""

    does: str
    id: str = ""
    type: str = ""
    memory: str = ""
    sentence: str = ""


def read_candidate_answer(text: str) -> CandidateAnswer:
    """Raise LimpetError for an answer of no form that is known."""
    named = _NAMED.match(text)
    if not named:
        raise LimpetError("Not an answer", text, FORM)
    name, rest = named[1], " ".join(named[2].split())
    if name in TYPES:
        return read_finding(name, rest)
    if rest.lower().rstrip(".") == DROP:
        return CandidateAnswer(does=DROP, id=name)
    about = _ABOUT.match(rest)
    if about and about[1] == REPLACES and about[3] is not None:
        return CandidateAnswer(does=REPLACES, id=name, memory=about[2], sentence=_sentence(about[3], text))
    if about and about[1] != REPLACES and about[3] is None:
        return CandidateAnswer(does=about[1], id=name, memory=about[2])
    type, _, typed = rest.partition(":")
    if type in TYPES:
        return CandidateAnswer(does=WRITE, id=name, type=type, sentence=_sentence(typed.strip(), text))
    return CandidateAnswer(does=WRITE, id=name, sentence=_sentence(rest, text))


def read_finding(kind: str, sentence: str) -> CandidateAnswer:
    if kind not in TYPES:
        raise LimpetError("Not a type of memory", kind, f"Use one of: {', '.join(TYPES)}")
    sentence = " ".join(sentence.split())
    about = _ABOUT.match(sentence)
    if about:
        what = f"A finding of your own {about[1]} no memory: only what was said does"
        hint = f"Change the memory: limpet memory edit {about[2]} --title SENTENCE"
        raise LimpetError(what, f"{kind}: {sentence}", hint)
    return CandidateAnswer(does=WRITE, type=kind, sentence=_sentence(sentence, f"{kind}: {sentence}"))


def refuse_copy(sentence: str, quote: str) -> None:
    cut = sentence.rstrip(".\u2026")
    if sentence.endswith(("...", "\u2026")) and same_words(quote).startswith(same_words(cut)):
        raise LimpetError("This is the quote, cut: write a sentence that stands alone")


def refuse_another(sentence: str, ids: Collection[str]) -> None:
    for name in re.findall(r"(?<!\S)([\w-]+)\s*:", sentence):
        if name in ids:
            raise LimpetError("Two answers in one", f"{name}:", f"Give each its own argument. {FORM}")


def read_candidate_files(shared: str) -> list[Candidate]:
    """Return the candidates, the oldest first; lines that are none are passed over."""
    folder = os.path.join(shared, FOLDER)
    days = [name for name in names_in(folder) if name.endswith(ENDING)][-MOST_DAYS:]
    found: list[Candidate] = []
    for name in days:
        found += _read_day(os.path.join(folder, name))
    return found


def save(shared: str, changed: Iterable[Candidate], removed: Iterable[Candidate] = ()) -> None:
    """Raise OSError. A day that is full takes no new ones."""
    by_day: dict[str, dict[str, Candidate | None]] = {}
    for candidate in changed:
        by_day.setdefault(iso(candidate.at)[:10], {})[candidate.id] = candidate
    for candidate in removed:
        by_day.setdefault(iso(candidate.at)[:10], {})[candidate.id] = None
    folder = _make_folder(shared) if by_day else ""
    for day, new in by_day.items():
        path = os.path.join(folder, f"{day}{ENDING}")
        known = {candidate.id: candidate for candidate in _read_day(path)}
        lines, size = list[bytes](), 0
        for id, kept in {**known, **new}.items():
            line = dumps(write_record(kept)).encode("utf-8", "surrogatepass") + b"\n" if kept else b""
            size += len(line)
            if size <= LARGEST_DAY or id in known:
                lines.append(line)
        write_durably(path, b"".join(lines), follow=False)
        if any(known[id].quote and not (kept and kept.quote) for id, kept in new.items() if id in known):
            drop_copies(shared, f"{day}{ENDING}")


def read_open(shared: str) -> list[dict[str, Any]]:
    """Return the open candidates as the prompt hook is told of them, [] where no list can be read."""
    found = read_object(read_text(os.path.join(shared, FOLDER, OPEN))).get("open")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def drop_days(shared: str, before: str) -> None:
    """Take away the candidates of the days before ``before``, as ``2026-11-28``, which nobody wanted. Raise OSError."""
    folder = os.path.join(shared, FOLDER)
    for name in names_in(folder):
        if name.endswith(ENDING) and name < before:
            os.unlink(os.path.join(folder, name))
            drop_copies(shared, name)


def write_open(shared: str, records: Sequence[dict[str, Any]]) -> None:
    """Replace the list of open candidates; none is begun for nothing. Raise OSError."""
    if not records and not os.path.lexists(os.path.join(shared, FOLDER, OPEN)):
        return
    text = dumps({"open": list(records)})
    write_durably(os.path.join(_make_folder(shared), OPEN), text, follow=False)


def search_candidates(candidates: Sequence[Candidate], text: str, limit: int) -> tuple[Candidate, ...]:
    """Return those that share words with the text, best first, of equals the newer; a rare word weighs more."""
    asked = {term for term in terms(text) if not is_stop(term)}
    held = [asked.intersection(terms(candidate.quote)) for candidate in candidates]
    often: Counter[str] = Counter()
    for words in held:
        often.update(words)
    weights = {word: log(1 + len(candidates) / count) for word, count in often.items()}
    scores = [(sum(map(weights.__getitem__, words)), one.at) for words, one in zip(held, candidates, strict=True)]
    best = sorted((place for place, words in enumerate(held) if words), key=scores.__getitem__, reverse=True)
    return tuple(candidates[place] for place in best[: max(0, limit)])


def _moment(told: object) -> Moment:
    at, session, message = (*told, "", "", "")[:3] if isinstance(told, list) else (0.0, "", "")
    return Moment(_number(at), str(session), str(message))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _sentence(text: str, typed: str) -> str:
    """Refuse what is no sentence: nobody would see it become a memory."""
    if not text.strip('"\u2026. '):
        raise LimpetError("No sentence", typed, FORM)
    if len(text) > LONGEST_ANSWER:
        raise LimpetError(f"Longer than {LONGEST_ANSWER} characters: write one sentence")
    if _UNFINISHED.match(text):
        raise LimpetError("Not a whole answer", typed, f"{FORM}. A sentence begins with what it is about")
    return text


def _make_folder(shared: str) -> str:
    folder = os.path.join(shared, FOLDER)
    make_folder(folder)
    return folder


def _read_day(path: str) -> list[Candidate]:
    raw = read_bytes(path, 2 * LARGEST_DAY) or b""
    return [candidate for record in parse_lines(raw.split(b"\n")) if (candidate := read_candidate(record))]
