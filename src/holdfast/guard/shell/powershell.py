"""Texts for PowerShell and cmd, cut into commands by few rules; what they do not cover is not clear."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.guard.shell.command import UNKNOWN, Command, Understood, join, program, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # Tells what a text for bash would do.
    Posix = Callable[[str], Understood]

_ENDS = ("&&", "||", ";", "|", "&", "\n", "{", "}", "(", ")")
_LONGEST = 100_000
_DEEPEST = 6
_EVALUATORS = frozenset(("iex", "invoke-expression"))
_STARTERS = frozenset(("start-process", "saps", "start", "invoke-command", "icm", "call", "start-job"))
_HOSTS = frozenset(("powershell", "pwsh", "cmd"))
_POSIX = frozenset(("bash", "sh", "wsl", "zsh"))
_ENCODED = ("-encodedcommand", "-enc", "-ec", "-e", "-encoded")
# What PowerShell can do that these rules do not follow.
_OPAQUE = ("[scriptblock]", "frombase64string", ".invoke(", "downloadstring", "[convert]", "-join", "-f ", "::", "&(")
_MOVES = frozenset(("cd", "sl", "set-location", "chdir", "pushd", "push-location"))


class _Cut(Value):
    """A text cut into commands: their words and the paths that they write; ``inside`` are the texts of ``$(...)``."""

    commands: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    inside: tuple[str, ...]
    why: str


def understand_powershell(text: str, is_cmd: bool, posix: Posix) -> Understood:
    """Return what a text for PowerShell, or for cmd, would do; ``posix`` is asked about texts that it hands to bash."""
    found: list[Command] = []
    why = _walk(text, is_cmd, posix, found, (), "")
    return Understood(tuple(dict.fromkeys(found)), not why, why, words_of(text))


def _walk(text: str, is_cmd: bool, posix: Posix, found: list[Command], within: tuple[str, ...], folder: str) -> str:
    """Add the commands of a text, and return why they are not clear, "" where they are."""
    if len(text) > _LONGEST or len(within) > _DEEPEST:
        return "it is too long or nested too deeply"
    cut = _cut(text, is_cmd)
    why = cut.why
    for words, writes in cut.commands:
        lowered = _named(words, is_cmd)
        if lowered and program(lowered[0]) in _MOVES and len(lowered) > 1:
            folder = join(folder, lowered[-1].replace("\\", "/"))
        command = Command(tuple(each.replace("\\", "/") for each in lowered), folder, writes, (), within)
        found.append(command)
        why = why or _further(lowered, is_cmd, posix, found, within, folder)
    for inside in cut.inside:
        why = _walk(inside, is_cmd, posix, found, (*within, "substitution"), folder) or why
    lowered_text = text.lower()
    if not is_cmd and any(each in lowered_text for each in _OPAQUE):
        why = why or "it does what is not followed in PowerShell"
    return why


def _named(words: tuple[str, ...], is_cmd: bool) -> tuple[str, ...]:
    """Return words with the program and its parameters in lower case, as Windows compares them."""
    if len(words) > 1 and words[1] in ("=", "+=") and words[0][:1] == UNKNOWN:
        words = words[2:]
    if not words:
        return ()
    name = words[0].lower()
    rest = tuple(word.lower() if word[:1] in "-/" and len(word) > 2 and not is_cmd else word for word in words[1:])
    return (name, *(rest if "-" in name or name in _POWERSHELL_NAMES else words[1:]))


_POWERSHELL_NAMES = frozenset("del rm ri rd erase rmdir cp copy mv move gc sc ni iwr irm curl wget ls dir".split())


def _further(
    words: tuple[str, ...],
    is_cmd: bool,
    posix: Posix,
    found: list[Command],
    within: tuple[str, ...],
    folder: str,
) -> str:
    """Add what a command runs in turn."""
    if not words:
        return ""
    name, rest = program(words[0]), words[1:]
    if not name or UNKNOWN in words[0]:
        return "a program is not known"
    if name in _EVALUATORS:
        text = " ".join(rest)
        if UNKNOWN in text or not rest:
            return "a part of what is evaluated is not known"
        return _walk(text, is_cmd, posix, found, (*within, name), folder)
    if name in _HOSTS:
        return _hosted(name, rest, posix, found, within, folder)
    if name in _POSIX and len(rest) > 1 and rest[0] in ("-c", "-lc", "-e", "--"):
        inner = posix(rest[1])
        found += [each.replace(within=(*within, name, *each.within)) for each in inner.commands]
        return inner.why
    if name in _STARTERS and rest:
        started = tuple(word for word in rest if word[:1] != "-" or word == rest[-1])
        return _walk(" ".join(started).replace(",", " "), is_cmd, posix, found, (*within, name), folder)
    if name == "git" and rest[:1] and UNKNOWN in rest[0]:
        return "what git is told to do is not known"
    return ""


def _hosted(
    name: str, rest: tuple[str, ...], posix: Posix, found: list[Command], within: tuple[str, ...], folder: str
) -> str:
    for at, word in enumerate(rest):
        lowered = word.lower()
        if name != "cmd" and lowered in _ENCODED and len(rest) > at + 1:
            return "the command is encoded"
        if lowered in ("/c", "/k", "/r", "-command", "-c") or (
            name != "cmd" and "-command".startswith(lowered) and len(lowered) > 2
        ):
            text = " ".join(rest[at + 1 :])
            if UNKNOWN in text or text == "-":
                return f"a part of what {name} runs is not known"
            return _walk(text, name == "cmd", posix, found, (*within, f"{name} {lowered}"), folder)
    operands = [word for word in rest if word[:1] not in "-/"]
    return _walk(" ".join(operands), False, posix, found, (*within, name), folder) if operands and name != "cmd" else ""


def _cut(text: str, is_cmd: bool) -> _Cut:
    commands: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    inside: list[str] = []
    words: list[str] = []
    writes: list[str] = []
    why = ""
    at, redirected = 0, False
    while at < len(text):
        end = next((each for each in _ENDS if text.startswith(each, at) and not (is_cmd and each in "{}")), "")
        if text[at] in " \t\r" or end == "&" and not words and not is_cmd:
            at += 1
        elif end:
            at += len(end)
            commands, words, writes = [*commands, (tuple(words), tuple(writes))], [], []
        elif text[at] == ">":
            at += 2 if text.startswith((">>", ">&"), at) else 1
            redirected = True
        elif text[at] == "#" and not is_cmd:
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        else:
            word, at, parts, reason = _word(text, at, is_cmd)
            inside += parts
            why = why or reason
            if redirected:
                writes += () if word in ("1", "2") else (word.replace("\\", "/"),)
            elif not (word in ("1", "2", "*") and text[at : at + 1] == ">"):
                words.append(word)
            redirected = False
    commands.append((tuple(words), tuple(writes)))
    return _Cut(tuple(each for each in commands if each[0] or each[1]), tuple(inside), why)


def _word(text: str, at: int, is_cmd: bool) -> tuple[str, int, list[str], str]:
    """Return the word that starts here, where it ends, the texts of its ``$(...)`` and why it is not clear."""
    escape = "^" if is_cmd else "`"
    found, why = "", ""
    inside: list[str] = []
    ends = " \t\r\n;|>&)" if is_cmd else " \t\r\n;|>&)}"
    while at < len(text) and text[at] not in ends and (found or text[at] not in ("(" if is_cmd else "({")):
        letter = text[at]
        if letter == escape:
            found, at = found + text[at + 1 : at + 2].strip("\n"), at + 2
        elif letter == '"' or (letter == "'" and not is_cmd):
            close = text.find(letter, at + 1)
            while close > 0 and letter == '"' and text[close - 1] == escape and not is_cmd:
                close = text.find(letter, close + 1)
            if close < 0:
                return found, len(text), inside, "a quote is not closed"
            part = text[at + 1 : close]
            found += part if letter == "'" else _filled(part, is_cmd, inside)
            at = close + 1
        elif text.startswith("$(", at) and not is_cmd:
            close = _closing(text, at + 1)
            inside.append(text[at + 2 : close])
            found, at = found + UNKNOWN, close + 1
        elif (letter == "$" and not is_cmd) or (letter == "%" and is_cmd):
            end = at + 1
            while end < len(text) and (text[end].isalnum() or text[end] in "_:.{}"):
                end += 1
            found, at = found + UNKNOWN, end + (is_cmd and text[end : end + 1] == "%")
        else:
            found, at = found + letter, at + 1
    return found, max(at, 1), inside, why


def _filled(part: str, is_cmd: bool, inside: list[str]) -> str:
    """Return what stands in double quotes, with what is filled in later as ``UNKNOWN``."""
    found, at = "", 0
    while at < len(part):
        if part[at] == "`" and not is_cmd:
            found, at = found + part[at + 1 : at + 2], at + 2
        elif part.startswith("$(", at) and not is_cmd:
            close = _closing(part, at + 1)
            inside.append(part[at + 2 : close])
            found, at = found + UNKNOWN, close + 1
        elif part[at] == "$" and not is_cmd and part[at + 1 : at + 2].isalpha():
            at += 1
            while at < len(part) and (part[at].isalnum() or part[at] in "_:"):
                at += 1
            found += UNKNOWN
        else:
            found, at = found + part[at], at + 1
    return found


def _closing(text: str, opened: int) -> int:
    depth = 0
    for at in range(opened, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text)
