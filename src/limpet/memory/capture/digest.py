"""The digest of a conversation: one entry in ``daily/`` that grows as the conversation does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from limpet.ground.message import Message
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.ground.values import Value
from limpet.memory.capture.heard import LONGEST_TEXT, Heard, begins, prose_lines, sentences, source
from limpet.memory.capture.outcomes import Activity
from limpet.memory.capture.statements import weight_of, without_opening
from limpet.memory.model.entry import TYPE_TABLE

Lines = dict[str, str]

SECTIONS = {name: kind.section for name, kind in TYPE_TABLE.items() if kind.section}
FILES = "Files"
COMMANDS = "Commands"
UNDER_WAY = "Under way"
QUESTIONS = "Open questions"
ORDER = (*SECTIONS.values(), UNDER_WAY, FILES, COMMANDS, QUESTIONS)
# The newest of each; older ones are entries of their own.
MOST = {FILES: 40, COMMANDS: 10}
_MOST_OTHERS = 20
_LONGEST_LINE = 240
_LONGEST_TITLE = 120
_LONGEST_COMMAND = 80
# Words that say something, of a sentence that tells what a conversation is about.
_LEAST_WORDS = 2
_HEADING = re.compile(r"^#{1,3} (?:Plan:? ?)?(\S.{2,})$", re.MULTILINE)
_FILE = re.compile(r"- `(.+)`(?: \((\d+) edits\))?$")
_COMMAND = re.compile(r"- `(.+)`: (\d+) runs?, (\d+) failed(, the last one too)?$")
# A longer message is a document or a log with a few own words around it.
LONGEST_TYPED = 3000
_LONGEST_PARAGRAPH = 1200
# A short paragraph that says whose words follow.
_LONGEST_ANNOUNCING = 160
_IMAGE = re.compile(r"\[(?:Image|Pasted text|screenshot)\b[^\]\n]{0,300}\]", re.IGNORECASE)
# What a client writes in the person's name, in whatever case.
_WRAPPED = re.compile(
    r"<(command-\w+|local-command-\w+|bash-\w+|task-notification|system-\w+)\b[^>]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL
)
# Marks of what programs and models print, not of what a hand types; a bare place; what a terminal shows.
_PRINTED = re.compile(
    r"[\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u257f\u2580-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]|\s{3,}\S+\s{3,}"
    r"|^\s*(?:[\w-]{1,20}:\s*)?(?:https?://|file://|~?\.{0,2}/|@|[A-Z]:\\)\S*\s*$"
    r"|^\s*(?i:error|fatal|exception|uncaught|panic|npm err)\b ?[:!]"
)
_PROMPT = re.compile(r"^\s*(?:[\w.-]+@[\w.-]+[:~ ]|\([\w.-]+\) [$#%]|[$#%>\u276f] )")
# Where somebody's text is shown: fenced, quoted, or by the client's own mark.
_OF_OTHERS = re.compile(r"^\s*(?:```|~~~|>\s)|<pasted_content|\[Pasted text|^#{1,4} \S", re.MULTILINE)
# Own paragraphs beside what a program printed: more of them are somebody's text with output in it.
MOST_BESIDE = 3
_INDENTED = re.compile(r"(?: {2,}|\t)\s*(?![-*+\u2022] |\(?\d{1,3}[.)]\s)\S")
# Where a document begins that somebody or something else wrote: a plan, an instruction file.
_OWN_WORDS_HEADING = re.compile(r"\s*#{1,4} \S")


def find_subject(messages: Iterable[Message]) -> str:
    """Return what the person first asked for, "" where they only greeted, agreed or pasted something."""
    for message in messages:
        if message.role == "user":
            own = own_words(message.text).text
            said = [each for each in sentences(own) if weight_of(each) >= _LEAST_WORDS and not each.endswith(":")]
            if said and not said[0].startswith("<"):
                return without_opening(said[0])
            if heading := _HEADING.search(message.text):
                return heading[1].strip()
    return ""


def write_digest(
    heard: Sequence[Heard], activity: Activity, day: str, existing: str = "", subject: str = "", action: str = ""
) -> tuple[str, str]:
    """Return (title, body) of the digest; ``existing`` is its body so far, ``subject`` what the title says, ``action``
    what the model was about to do. ``heard`` and ``activity`` are those of the new messages only. Nothing is there
    twice, each section is bounded, and what a person wrote into the body (before the sections, or under headings of
    their own) stays."""
    preamble, sections, others = _read(existing)
    for type, name in SECTIONS.items():
        said = [f"- {_one_line(each.line)}" for each in heard if each.type == type]
        sections[name] = _add(sections.get(name, []), said, lambda line: " ".join(split_words(fold(line))))
    sections[FILES] = _add_files(sections.get(FILES, []), activity)
    sections[COMMANDS] = _add_commands(sections.get(COMMANDS, []), activity)
    sections[UNDER_WAY] = [f"- {_one_line(action)}"] if action else []
    sections[QUESTIONS] = [f"- {_one_line(question)}" for question in activity.questions]
    bounded = {name: sections[name][-MOST.get(name, _MOST_OTHERS) :] for name in ORDER}
    written = [f"## {name}\n\n" + "\n".join(lines) for name, lines in bounded.items() if lines]
    files = [match[1] for line in bounded[FILES] if (match := _FILE.match(line))]
    lead = " ".join(subject.split()) or ", ".join(path.rpartition("/")[2] for path in files[:3])
    title = f"{clip(lead, _LONGEST_TITLE - len(day) - 3)} ({day})" if lead else f"Conversation of {day}"
    return title, "\n\n".join(part for part in (preamble, *written, *others) if part)


class OwnWords(Value):
    """The user's own words of a typed message; ``is_mixed``: whether somebody's text was beside them, so that words of
    it may be among these: what a program printed has none."""

    paragraphs: tuple[str, ...] = ()
    is_mixed: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


def own_words(text: str) -> OwnWords:
    """Of a long message only the first and last paragraph count."""
    plain = _IMAGE.sub("", _WRAPPED.sub("", text[:LONGEST_TEXT])).replace("\r\n", "\n")
    blocks = [block for block in re.split(r"\n[ \t]*\n", plain) if block.strip()]
    heading = next((place for place, block in enumerate(blocks) if _OWN_WORDS_HEADING.match(block)), len(blocks))
    whole, blocks = blocks, blocks[:heading]
    if len(plain) > LONGEST_TYPED and len(blocks) > 2:
        blocks = [blocks[0], blocks[-1]]
    announced = next((place for place, block in enumerate(blocks) if _announces(block)), len(blocks))
    kept = [own for block in blocks[: announced + 1] if (own := _own(block))]
    is_pasted = len("".join("".join(kept).split())) < len("".join(_IMAGE.sub("", text).split()))
    is_cut = len(plain) > LONGEST_TYPED or heading < len(whole) or announced < len(blocks) - 1
    is_mixed = is_cut or _OF_OTHERS.search(text) is not None or (is_pasted and len(kept) > MOST_BESIDE)
    return OwnWords(paragraphs=tuple(kept), is_mixed=is_mixed)


def _read(body: str) -> tuple[str, dict[str, list[str]], list[str]]:
    preamble, *parts = re.split(r"^(?=## )", body.replace("\r\n", "\n"), flags=re.MULTILINE)
    sections: dict[str, list[str]] = {}
    others: list[str] = []
    for part in parts:
        heading, _, rest = part.partition("\n")
        name = heading[3:].strip()
        if name in ORDER and name not in sections:
            sections[name] = [line for line in rest.split("\n") if line.strip()]
        else:
            others.append(part.strip())
    return preamble.strip(), sections, others


def _add(lines: Iterable[str], new: Iterable[str], key: Callable[[str], str]) -> list[str]:
    known: Lines = {}
    for line in (*lines, *new):
        known[key(line)] = line
    return list(known.values())


def _add_files(lines: Sequence[str], activity: Activity) -> list[str]:
    counts = {match[1]: int(match[2] or 1) for line in lines if (match := _FILE.match(line))}
    new = []
    for path, times in activity.files:
        total = counts.get(path, 0) + times
        new.append(f"- `{path}` ({total} edits)" if total > 1 else f"- `{path}`")
    return _add(lines, new, lambda line: _subject(_FILE, line))


def _add_commands(lines: Sequence[str], activity: Activity) -> list[str]:
    counts = {match[1]: (int(match[2]), int(match[3])) for line in lines if (match := _COMMAND.match(line))}
    new = []
    for run in activity.runs:
        command = clip(" ".join(run.command.partition("<<")[0].replace("`", "'").split()), _LONGEST_COMMAND)
        times, failures = counts.get(command, (0, 0))
        times, failures = times + run.times, failures + run.failures
        counts[command] = (times, failures)
        ending = ", the last one too" if run.failing else ""
        new.append(f"- `{command}`: {times} run{'s' * (times > 1)}, {failures} failed{ending}")
    return _add(lines, new, lambda line: _subject(_COMMAND, line))


def _subject(pattern: re.Pattern[str], line: str) -> str:
    match = pattern.match(line)
    return match[1] if match else line


def _one_line(text: str) -> str:
    return clip(" ".join(text.split()), _LONGEST_LINE)


def _own(block: str) -> str:
    if quoting := _quoting().match(block):
        return block[: quoting.end()].strip(" :\n\t")
    # A client indents what it shows, and what is copied from there keeps it.
    if _PROMPT.match(block) or all(_INDENTED.match(line) for line in block.split("\n") if line.strip()):
        return ""
    joined = "\n".join(line for line in prose_lines(block) if not _PRINTED.search(line)).strip()
    return joined if len(joined) <= _LONGEST_PARAGRAPH else ""


def _announces(block: str) -> bool:
    return len(block) <= _LONGEST_ANNOUNCING and begins("announces", block.strip().lower())


@cache
def _quoting() -> re.Pattern[str]:
    """What stands before the thing to work on, in somebody else's words: "Address: 1. ...", "A review comment: ..."."""
    return re.compile(
        rf"\s*{source('quotes')}:\s+"
        rf"|\s*(?:(?:let'?s|please|ok|now|and|also|we need to|can you)[ ,]+)*{source('working')}\b[^.!?\n]{{0,60}}?"
        r"(?::\s+|\s+)"
        r"(?=[-*\u2022] |\d{1,3}[.)] |[\u2600-\u27bf\U0001f300-\U0001faff]|(?-i:[A-Z])[\w ]{2,40}: )",
        re.IGNORECASE,
    )
