"""Shells and interpreters: the text that they run is an argument, a file or what they read."""

from __future__ import annotations

from holdfast.guard.shell.code.languages import Language, arguments_of, language_of
from holdfast.guard.shell.command import UNKNOWN, join, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.redirections import Streams
    from holdfast.guard.shell.walk import Walk

# Names of what a program reads anyway.
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "rbash", "yash", "csh", "tcsh"))
_SHELL_VALUES = frozenset(("-o", "+o", "-O", "+O", "--rcfile", "--init-file"))


def run_shell(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    """Walk what a shell runs: the text of ``-c``, a file, or what it reads."""
    at, wants_text = 1, False
    name = program(words[0])
    while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
        if words[at] == "--":
            at += 1
            break
        wants_text = wants_text or _takes_text(words[at])
        at += 2 if words[at] in _SHELL_VALUES or (words[at][1:2] not in "-c" and words[at][-1] in "oO") else 1
    rest = words[at:]
    if wants_text:
        return _shell_text(walk, name, rest, streams)
    if rest and rest[0] not in STANDARD_INPUT and "-s" not in words[:at]:
        return run_file(walk, rest[0], rest[1:], name)
    if streams.reads and streams.fed is None:
        return run_file(walk, streams.reads[-1], (), name)
    if streams.fed is None or UNKNOWN in streams.fed:
        return walk.unclear(f"{name} is fed with what is not known")
    return walk.text(streams.fed, f"{name} fed") if streams.fed else ""


def _takes_text(option: str) -> bool:
    return (option[:1] == "-" and option[1:2] != "-" and "c" in option) or option == "--command"


def _shell_text(walk: Walk, name: str, rest: tuple[str, ...], streams: Streams) -> str | None:
    if not rest:
        return ""
    before = walk.state.positional
    walk.state.positional = rest[2:]
    if UNKNOWN in rest[0]:
        walk.unclear(f"a part of what {name} runs is not known")
    printed = walk.text(rest[0], f"{name} -c", streams.fed)
    walk.state.positional = before
    return printed


def run_file(walk: Walk, path: str, words: tuple[str, ...], reached: str = "") -> str | None:
    """Walk a file that is run, where the text itself has written it; any other file is the project's own."""
    place = join(walk.state.folder, path)
    if place not in walk.state.contents:
        if UNKNOWN in path and "/" not in path.strip(UNKNOWN):
            walk.unclear(f"which file {reached} runs is not known")
        return None
    text = walk.state.contents[place]
    if text is None or UNKNOWN in text:
        walk.unclear(f"it runs a file that it writes itself: {path}")
    if not text:
        return None
    language = _language_of(text.partition("\n")[0]) or language_of(reached)
    if language is not None:
        return _code(walk, text, language, f"{reached or path} file")
    before = walk.state.positional
    walk.state.positional = words
    printed = walk.text(text, reached or f"script {path}")
    walk.state.positional = before
    return printed


def _language_of(line: str) -> Language | None:
    if line[:2] != "#!":
        return None
    return next((language_of(program(each)) for each in reversed(line[2:].split())), None)


def run_code(walk: Walk, words: tuple[str, ...], streams: Streams, language: Language) -> str | None:
    """Walk the commands that code for an interpreter runs, as far as the code tells."""
    name = program(words[0])
    texts, operands, module = arguments_of(words, language)
    for text in texts:
        _code(walk, text, language, f"{name} {language.code.split()[0] if language.code else 'code'}")
    if module:
        walk.run(module, "python -m", streams)
    elif not texts and operands[: language.operand]:
        _code(walk, operands[min(language.operand, len(operands)) - 1], language, f"{name} code")
    elif not texts and operands and operands[0] not in STANDARD_INPUT:
        run_file(walk, operands[0], tuple(operands[1:]), name)
    elif not texts and not language.operand:
        return _fed(walk, name, streams, language)
    return None


def _fed(walk: Walk, name: str, streams: Streams, language: Language) -> str | None:
    if streams.reads and streams.fed is None:
        return run_file(walk, streams.reads[-1], (), name)
    if streams.fed is None and language.name not in ("vim", "psql", "sqlite", "gdb"):
        return walk.unclear(f"{name} is fed with what is not known")
    return _code(walk, streams.fed, language, f"{name} fed") if streams.fed else ""


def _code(walk: Walk, text: str, language: Language, reached: str) -> str | None:
    if UNKNOWN in text and language.name not in ("awk", "psql", "sqlite", "vim"):
        walk.unclear(f"a part of the code for {reached.split()[0]} is not known")
    # Most commands hold no code, and need not pay for its reader.
    from holdfast.guard.shell.code.calls import calls_of

    calls = calls_of(text, language.name)
    walk.texts.update(dict.fromkeys(calls.texts))
    if calls.why:
        walk.unclear(calls.why)
    for each in calls.runs:
        if isinstance(each, str):
            walk.text(each, reached)
        else:
            walk.run(each, reached)
    return None
