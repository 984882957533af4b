"""Shells and interpreters: the text that they run is an argument, a file or what they read; code is not read."""

from __future__ import annotations

from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value
from limpet.guard.shell.command import UNKNOWN, join, listed, program, takes_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.guard.shell.state import Streams
    from limpet.guard.shell.walk import ShellWalk

# Names of what a program reads anyway.
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


class Interpreter(Value):
    """How a program takes code, as ``framework/shell.json`` explains it."""

    code: str = ""
    values: str = ""
    module: str = ""
    first: bool = False
    anywhere: bool = False
    all: bool = False


def find_interpreter(name: str) -> Interpreter | None:
    """Whatever version the name has; None for other programs."""
    table = read_shipped("shell")["interpreters"]
    row = table.get(name.rstrip("0123456789."))
    if isinstance(row, str):
        row = table[row]
    return Interpreter(**row) if row is not None else None


def run_shell(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    at, wants_text, values = 1, False, listed("shell_values")
    name = program(words[0])
    while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
        if words[at] == "--":
            at += 1
            break
        wants_text = wants_text or takes_text(words[at])
        at += 2 if words[at] in values or (words[at][1:2] not in "-c" and words[at][-1] in "oO") else 1
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


def run_file(walk: ShellWalk, path: str, words: tuple[str, ...], reached: str = "") -> str | None:
    """A file that the text itself has written is walked; any other is the project's own."""
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
    first = text.partition("\n")[0]
    names = [reached, *(program(word) for word in first[2:].split() if first[:2] == "#!")]
    interpreter = next((name for name in names if find_interpreter(name)), "")
    if interpreter:
        walk.leave_code(interpreter, text, False)
        return None
    before = walk.state.positional
    walk.state.positional = words
    printed = walk.text(text, reached or f"script {path}")
    walk.state.positional = before
    return printed


def run_interpreter(walk: ShellWalk, words: tuple[str, ...], streams: Streams, interpreter: Interpreter) -> None:
    name = program(words[0])
    texts, operands, module = _arguments(words, interpreter)
    if interpreter.first and not texts and not {"-f", "--file"}.intersection(words):
        texts, operands = operands[:1], operands[1:]
    if module:
        walk.run(module, f"{name} {interpreter.module}", streams)
    elif texts:
        if not interpreter.first or any(map(_does_more_than_print, texts)):
            text = "\n".join((*texts, *operands))
            if interpreter.all:
                text = f"{text}\n{streams.fed or ''}".replace("\\", "/")
            walk.leave_code(name, text, interpreter.first or interpreter.all)
    elif operands and operands[0] not in STANDARD_INPUT:
        run_file(walk, operands[0], operands[1:], name)
    elif streams.reads and streams.fed is None:
        run_file(walk, streams.reads[-1], (), name)
    elif streams.fed is None:
        walk.unclear(f"{name} is fed with what is not known")
    elif streams.fed:
        walk.leave_code(name, streams.fed, interpreter.all)


def _shell_text(walk: ShellWalk, name: str, rest: tuple[str, ...], streams: Streams) -> str | None:
    if not rest:
        return ""
    positional, own = walk.state.positional, walk.state.variables["0"]
    walk.state.positional, walk.state.variables["0"] = rest[2:], rest[1:2] or own
    if UNKNOWN in rest[0]:
        walk.unclear(f"a part of what {name} runs is not known")
    printed = walk.text(rest[0], f"{name} -c", streams.fed)
    walk.state.positional, walk.state.variables["0"] = positional, own
    return printed


def _does_more_than_print(code: str) -> bool:
    """Whether awk's code runs a program, or writes a file: what it prints goes to one, or into a pipe."""
    bare = "".join(code.replace('\\"', "").split('"')[::2]).replace("||", "")
    printing = [piece.partition("print")[2] for piece in bare.replace("}", ";").replace("\n", ";").split(";")]
    runs = "system(" in code.replace(" ", "") or "getline" in code
    return runs or any(">" in each or "|" in each for each in printing)


def _arguments(
    words: tuple[str, ...], interpreter: Interpreter
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    if interpreter.all:
        return words[1:], (), ()
    codes, values = interpreter.code.split(), interpreter.values.split()
    texts: list[str] = []
    operands: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        at += 1
        if interpreter.module and word[:1] == "-" and word[1:2] not in ("-", "c", "W", "X") and "m" in word:
            attached = word.partition("m")[2]
            return tuple(texts), (), (*((attached,) if attached else ()), *words[at:])
        if equals and option in codes:
            texts.append(value)
        elif word in codes or (_is_cluster(word) and f"-{word[-1]}" in codes and word[:2] not in values):
            texts += words[at : at + 1]
            at += 1
        elif _is_cluster(word) and word[:2] in codes:
            texts.append(word[2:])
        elif word[:1] == "-" and len(word) > 1:
            at += word in values
        elif interpreter.anywhere:
            operands.append(word)
        else:
            return tuple(texts), (*operands, *words[at - 1 :]), ()
    return tuple(texts), tuple(operands), ()


def _is_cluster(word: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-" and len(word) > 2
