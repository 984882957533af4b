"""Signatures of errors (decision 26): the line that names the error, without the parts that vary. Two errors of one
signature count as the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

LONGEST = 200
# An error is told early; what follows after so much is the tool's log.
_READ = 65_536
_LINE = 1000
_TRIED = 100

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_TAG = re.compile(r"</?(?:tool_use_)?error>")
# Rulers, echoed commands, stack frames, banners, counts, and the no of a person, the host, a hook and
# Limpet itself: none of them is what went wrong.
_NOISE = re.compile(
    r"""\W*$ | [=_*~#-]{3} | [>$%]\s | (?:command\s)?exit(?:ed)?\s(?:with\s)?(?:code|status) | at\s.*(?:\(|:\d)
    | (?:platform|npm\s(?:warn|notice)|in\sfile\sincluded)\s
    | \[?(?:rootdir|plugins|configfile|warning|note|hint|info|debug|trace)\]?[:\s]
    | traceback\b | collect(?:ed|ing)\s | imp\w+\swhile\simporting\stest | file\s".*",\sline | interrupted:
    | (?:g?make|ninja)(?:\[\d+\])?:\s(?:\*\*\*|build\sstopped)
    | \W*(?:elifecycle\W+|error:?\s)?command\sfailed\swith\sexit
    | (?:tests|test\ssuites|test\sfiles|snapshots):?\s.*\d | (?:ran|found)\s\d
    | \W*\d+\s(?:failed|passed|errors?|problems?|failing)\b
    | (?:the\s)?user\s(?:doesn't|does\snot|did\snot|rejected|denied|cancel) | \[?request\sinterrupted
    | \w+\srequested\spermissions?\sto\s | permission\s(?:to\suse|for\sthis)\s | this\scommand\srequires\sapproval
    | (?:pre|post)tooluse:\S+\shook\s | denied\sby\s\w+\shook | limpet:\s""",
    re.IGNORECASE | re.VERBOSE,
)
_PYTEST = re.compile(r"^E {2,}([^\s+].*)", re.MULTILINE)
_RUST = re.compile(r"^thread '.*' panicked at .*:\n(\S.*)", re.MULTILINE)
# What stands below the frames, which are indented; the first of several is the cause.
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):.*\n(?:[ \t].*\n|\n)*(\S.*)", re.MULTILINE)
_KNOWN = (_PYTEST, _TRACEBACK, _RUST)
_TELLING = re.compile(
    r"""\b(?:error|err!|errno|exception|fatal|panic|panicked|failed|failure|fail|cannot|can't|could\snot|couldn't|unable
    |denied|refused|rejected|forbidden|unauthorized|invalid|unexpected|undefined|unresolved|unknown|missing|conflict
    |not\sfound|no\ssuch|not\sa|timed\sout|timeout|segmentation|out\sof\smemory)(?!\w) | \w(?:Error|Exception)\b""",
    re.IGNORECASE | re.VERBOSE,
)

_QUOTED = r"""(?<!\w)'[^']*'(?!\w) | "[^"]*" | `[^`]*` | ‘[^’]*’ | “[^”]*” | «[^»]*»"""
_VARYING = r"""
    (?P<keep> (?-i:\b[A-Z]{1,6}\d{2,5}\b) )
    | (?P<url> \b[a-z]{2,10}://\S+ )
    | (?P<time> \b\d{4}-\d\d-\d\d(?:[T\ ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)? | \b\d\d?:\d\d:\d\d\b )
    | (?P<path> (?: (?<![\w)>])(?:[a-z]:[\\/] | ~?\.{0,2}/) | (?:\b|(?<![\w.])(?=\.\w))[\w.@+-]{1,80}[\\/] )
        [^\s:'"()\[\],;<>|]+ (?:::\S+)?
        | \b[\w-]{1,80}\.(?:[cm]?[jt]sx?|pyi?|c|cc|cpp|h|hpp|cs|java|kt|go|rs|rb|php|swift|vue|svelte|sql|sh)\b )
        (?: [:(]\d+(?:[:,]\s?\d+)*\)? )?
    | (?P<n> \b0x[0-9a-f]+\b | \b(?=[0-9a-f-]{0,60}\d)[0-9a-f]{7,}(?:-[0-9a-f]{4,})*\b | \d+(?:[.,]\d+)* )
"""
_ALL = re.compile(f"(?P<text> {_QUOTED}) | {_VARYING}", re.IGNORECASE | re.VERBOSE)
_ALL_BUT_QUOTED = re.compile(_VARYING, re.IGNORECASE | re.VERBOSE)
_PLACE = re.compile(
    r"(?: (?:failed|error)\s<path>\s-\s | <(?:path|n|time)> | [\s:,.(){}\[\]|>*•●✕×✗-] )+", re.IGNORECASE | re.VERBOSE
)
_AT_LINE = r"line:?\s\d+(?:[\s,:]+(?:col(?:umn)?|char(?:acter)?|position)\.?:?\s\d+)*(?:\s\(char\s\d+\))?"
# Where in a file it was: before the error, as compilers say it, or in its words.
_WHERE = re.compile(
    rf"""^(?:\S*[\\/])?[\w.@+-]{{1,80}}\.[a-z]\w{{0,5}}[:(]\d+(?:[:,]\s?\d+)?\)?:?\s+(?:-\s)?
    | \s?\((?:(?:at|on|near)\s)?{_AT_LINE}\) | [\s,:;]*(?<!\w)(?:(?:at|on|near|in)\s)?{_AT_LINE}(?=\W|$)
    | \sat\sposition\s\d+ | (?<=\w):\d+:\d+(?=\W*$)""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACEHOLDER = re.compile(r"<(?:text|url|time|path|n)>")
_WORD = re.compile(r"\w{3,}")
# Of these words alone no error is made.
_VAGUE = "error errors err exception fail failed failure fatal assert assertionerror expected exit code npm"
_NAMES = ("error", "exception")


def find_error(text: str) -> tuple[str, str]:
    """Return (the line that says what went wrong, its signature), both "" where there is none. A signature has at most
    200 characters in lower case. Quoted text, paths with their lines, numbers, addresses and times become ``<text>``,
    ``<path>``, ``<n>`` ...; codes like TS2322 stay."""
    plain = _TAG.sub("", _COLOUR.sub("", text[:_READ])).replace("\r\n", "\n")
    found = ((line, sign_failure(line)) for line in islice(_candidates(plain), _TRIED))
    return next(((line, signature) for line, signature in found if signature), ("", ""))


def without_place(line: str) -> str:
    plain = " ".join(line.split())
    bare = _WHERE.sub("", plain).strip(" ,:;")
    return bare if _words(bare.lower()) else plain


def sign_failure(line: str) -> str:
    """Return "" where the line says nothing. Quoted text stays where little but an exception's name would be left."""
    bare = _replace(_ALL, line)
    if any(not word.endswith(_NAMES) for word in _words(bare)):
        return bare[:LONGEST]
    quoting = _replace(_ALL_BUT_QUOTED, line)
    return quoting[:LONGEST] if _words(quoting) else ""


def _candidates(text: str) -> Iterator[str]:
    known: list[str] = []
    for pattern in _KNOWN:
        known += [match[1].strip() for match in pattern.finditer(text)]
    lines = [line for line in map(str.strip, text.split("\n")) if not _NOISE.match(line)]
    telling = [line for line in lines if _TELLING.search(line[:_LINE])]
    for line in (*known, *telling, *([] if known else lines)):
        yield line[:_LINE]


def _replace(varying: re.Pattern[str], line: str) -> str:
    named = varying.sub(lambda match: match[0] if match.lastgroup == "keep" else f"<{match.lastgroup}>", line)
    spaced = " ".join(named.split())
    place = _PLACE.match(spaced)
    return spaced[place.end() if place else 0 :].lower()


def _words(signature: str) -> set[str]:
    return set(_WORD.findall(_PLACEHOLDER.sub(" ", signature))).difference(_VAGUE.split())
