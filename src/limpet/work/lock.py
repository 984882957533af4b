"""The session lock and the ways to ask for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import has_block, put_block, take_block
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes
from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import LANGUAGES, split_words
from limpet.work.in_force import find_in_force
from limpet.work.slash import EXIT, EXITS, NAMES, read_slash

Phrases = dict[str, tuple[str, ...]]

LINE = "active until /limpet exit: stay in role, treat off topic as a deviation"
"""Short enough to be whole within the ceiling of the block's element, ``context.ceilings.lock``."""
FIRST = "CLAUDE.md"
FILES = (FIRST, ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
"""From the project's root; a block is made in the first, and kept up to date in each that has one."""
ACTIVE = """\
## Session Lock - ACTIVE

The Limpet session of this project is ACTIVE. For EVERY message:

1. Follow the newest `<limpet-context>` block. If there is none, run `limpet why --text --for` and follow its output.
2. Route ALL messages through the current agent: `{agent}`.
3. NEVER respond outside the session or as a generic assistant.
4. An off-topic request is a deviation: note it with `limpet work deviate`, do NOT leave the session.
5. ONLY the user can end it: /limpet exit, /limpet stop, /limpet quit, or words that name Limpet, such as
   "exit limpet". If nothing confirms the exit, run `limpet work exit`.
"""
INACTIVE = """\
## Session Lock

Status: INACTIVE

The Limpet session of this project is saved. If the user types /limpet work or asks to resume and nothing confirms it,
run `limpet resume` and follow its output.
"""
# From the file's bytes, None for no file, and its path to the new ones.
Change = Callable[[bytes | None, str], bytes | None]
# Who receives messages while no agent is active.
WITHOUT_AGENT = "orchestrator"

ASK, NOTHING = "ask", ""
LONGEST = 160
"""Characters of a prompt that can be nothing but a wish to leave."""

_WORDS = read_words("words/exits")
_CONDITIONS = frozenset(_WORDS["conditions"])
PHRASES: dict[str, Phrases] = {language: {} for language in LANGUAGES}
"""Language -> kind -> phrases; ``framework/words/exits`` says what the kinds are."""
for _name, _phrases in _WORDS.items():
    if _name[2:3] == " " and _name[:2] in PHRASES:
        PHRASES[_name[:2]][_name[3:]] = _phrases

_INSIDE = "'\u2019-"
_DASHES = "-\u2013\u2014"
_AFTER = ",;:.!?"
_ENDS = ",;.!\n"
_BEFORE = "\u00a1\u00bf"
_QUOTES = "\u00ab\u00bb\u2018\u201c\u201d\u201e\u2039\u203a"


def is_locked(session: Mapping[str, Any]) -> bool:
    lock = session.get("lock")
    return isinstance(lock, dict) and lock.get("active") is True


def take(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    return {} if is_locked(session) else _turned(session, True, by, now)


def lift(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    return _turned(session, False, by, now) if is_locked(session) else {}


def lock_line(session: Mapping[str, Any]) -> str:
    return LINE if is_locked(session) else ""


def render_lock_block(session: Mapping[str, Any]) -> str:
    agent = find_in_force(session).agent or WITHOUT_AGENT
    return ACTIVE.format(agent=agent) if is_locked(dict(session)) else INACTIVE


def update_blocks(root: str, session: Mapping[str, Any], wanted: bool) -> tuple[str, ...]:
    """Bring every block of the project up to date; return the files that changed. ``wanted``: make a block where there
    is none. Raise LimpetError for the first file that cannot be read or written, after the others."""
    files = marked_files(root)
    if not files and wanted:
        path = os.path.join(root, FIRST)
        if leads_out(path, root):
            raise LimpetError(LEADS_OUT, path, "Replace it with a file, or set work.lock.instruction_file to false.")
        files = (os.path.realpath(path),)
    body = render_lock_block(session)
    return _update_all(files, lambda before, path: put_block(before, body, path))


def remove_blocks(root: str) -> tuple[str, ...]:
    """Files that were made for a block go too; return all. Raise LimpetError as ``update_blocks`` does."""
    return _update_all(marked_files(root), take_block)


def marked_files(root: str) -> tuple[str, ...]:
    return tuple(path for path in instruction_files(root) if has_block(read_bytes(path, STATE_BYTES)))


def instruction_files(root: str) -> tuple[str, ...]:
    """Links are resolved; one that leads out of the project is no file of the project's."""
    places = (os.path.join(root, name) for name in FILES)
    return tuple(dict.fromkeys(os.path.realpath(place) for place in places if not leads_out(place, root)))


def find_exit(prompt: str) -> tuple[str, str]:
    """Return (kind, language): ``exit`` for a request to leave the product by its name, ``ask`` for one to confirm, ""
    for none; the language is "" for a slash and for none."""
    text = prompt.strip()
    if not text or len(text) > LONGEST:
        return NOTHING, ""
    if text[0] in "/*":
        return (EXIT if read_slash(f"/{text[1:]}")[0] == EXIT else NOTHING), ""
    sentence = _sentence(_plain_words(text))
    found = _in_words(sentence, "?" in text)
    if found[0] or not _names_any(sentence):
        return found
    # An exit behind something else is to be confirmed, unless it is only supposed or put off.
    last = max(text.rstrip(_ENDS + " ").rfind(sign) for sign in _ENDS) + 1
    if not _CONDITIONS.isdisjoint(_plain_words(text[:last])):
        return NOTHING, ""
    kind, language = _in_words(_sentence(_plain_words(text[last:])), False)
    return (ASK, language) if kind == EXIT else (NOTHING, "")


def _turned(session: dict[str, Any], active: bool, by: str, now: float) -> dict[str, Any]:
    lock = session.get("lock")
    kept = lock if isinstance(lock, dict) else {}
    return {"lock": {**kept, "active": active, "since": iso(now), "by": by}}


def _update_all(files: Iterable[str], change: Change) -> tuple[str, ...]:
    changed, problems = [], []
    for path in files:
        try:
            changed += [path] if _update(path, change) else []
        except LimpetError as error:
            problems.append(error)
    if problems:
        raise problems[0]
    return tuple(changed)


def _update(path: str, change: Change) -> bool:
    before = read_bytes(path, STATE_BYTES)
    if before is None and os.path.lexists(path):
        raise LimpetError("Cannot read the file", path, f"Make it a readable file of at most {STATE_BYTES // 1024} KB.")
    after = change(before, path)
    if after == before:
        return False
    try:
        if after is None:
            os.unlink(path)
        else:
            write_durably(path, after, mode=0o644)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", path) from None
    return True


def _in_words(sentence: str, question: bool) -> tuple[str, str]:
    for language, phrases in PHRASES.items():
        core = sentence
        while found := [phrase for phrase in phrases["fillers"] if core.endswith(f" {phrase} ")]:
            core = core[: -(max(map(len, found)) + 1)]
        rest = _without_first(core, phrases["fillers"])
        kind = _kind_without(rest, question, phrases)
        while not kind and core != rest and _names_any(core):  # some fillers are half of a verb too
            kind = ASK if _named(core, phrases) else NOTHING
            core = _without_first(core, phrases["fillers"], once=True)
        if kind or (kind := _hedged(rest, phrases)):
            return kind, language
    return NOTHING, ""


def _hedged(rest: str, phrases: Phrases) -> str:
    """What is only supposed is asked back, where it names the product: "I think we can leave limpet"."""
    supposed = _without_first(rest, phrases["hedges"])
    wished = _without_first(supposed, (*phrases["fillers"], *phrases["possible"]))
    if wished == rest or not _names_any(rest):
        return NOTHING
    return ASK if _kind_without(supposed, False, phrases) or _kind_without(wished, False, phrases) else NOTHING


def _names_any(sentence: str) -> bool:
    return any(f" {name} " in sentence for name in NAMES)


def _plain_words(text: str) -> list[str]:
    """Return the words folded; none of a text that quotes, or looks like code or a path."""
    folded = " " + fold(text).replace("chati.dev", "chati") + " "
    for place in range(1, len(folded) - 1):
        if not _is_prose(folded[place - 1], folded[place], folded[place + 1]):
            return []
    return split_words(folded)


def _is_prose(before: str, sign: str, after: str) -> bool:
    if sign.isalnum() or sign.isspace() or sign in _BEFORE:
        return True
    if sign in _DASHES and before.isspace() and after.isspace():
        return True
    if sign in _INSIDE:
        return before.isalnum() and after.isalnum()
    if sign in _AFTER:
        return not after.isalnum()
    return not sign.isascii() and sign not in _QUOTES


def _sentence(words: list[str]) -> str:
    """One space around each word, so that phrases are found as whole words."""
    return f" {' '.join(words)} "


def _kind_without(rest: str, question: bool, phrases: Phrases) -> str:
    asked, wished, requested = (
        _without_first(rest, (*phrases["fillers"], *leading))
        for leading in (phrases["doubts"], phrases["wishes"], phrases["requests"])
    )
    if asked != rest:
        return ASK if _named(asked, phrases) or _unnamed(asked, True, phrases) else NOTHING
    if requested != rest:
        return _named(_without_first(requested, phrases["wishes"]), phrases)
    kind = _named(wished, phrases) or _named(rest, phrases)
    if kind:
        return ASK if question else kind
    if _unnamed(wished, wished != rest, phrases):
        return ASK
    for out in phrases["outs"]:
        if rest.startswith(f" {out} ") and rest[len(out) + 1 :].strip() in ("", *phrases["places"]):
            return ASK
    return NOTHING


def _named(rest: str, phrases: Phrases) -> str:
    first = _without_first(rest, NAMES, once=True)
    if first != rest:
        return EXIT if first.strip() in (*phrases["alone"], *EXITS) else NOTHING
    for verbs, kind in ((phrases["exits"], EXIT), (phrases["doubtful"], ASK)):
        for verb in verbs:
            if any(_is_name(object_, phrases) for object_ in _objects(verb, rest)):
                return kind
    return NOTHING


def _objects(verb: str, rest: str) -> Iterator[str]:
    if rest.startswith(f" {verb} "):
        yield rest[len(verb) + 1 :]
    first, _, last = verb.partition(" ")
    if rest.startswith(f" {first} ") and rest.endswith(f" {last} "):
        yield rest[len(first) + 1 : -len(last) - 1]


def _is_name(rest: str, phrases: Phrases) -> bool:
    """Nothing but the product's name is left, with the small words that lead to it or follow it."""
    start = _without_first(rest, phrases["links"])
    end = _without_first(start, NAMES, once=True)
    return end != start and not _without_first(end, phrases["links"]).strip()


def _unnamed(rest: str, wished: bool, phrases: Phrases) -> bool:
    for verb in phrases["leaves"]:
        if rest.startswith(f" {verb} "):
            after = rest[len(verb) + 1 :]
            if after.strip() in phrases["places"] or (not after.strip() and (wished or verb in phrases["alone"])):
                return True
    return False


def _without_first(sentence: str, phrases: tuple[str, ...], once: bool = False) -> str:
    while found := [phrase for phrase in phrases if sentence.startswith(f" {phrase} ")]:
        sentence = sentence[max(map(len, found)) + 1 :]
        if once:
            break
    return sentence
