"""Commands of the shell itself that change what it knows, or run a text."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, program
from limpet.guard.shell.printing import printed
from limpet.guard.shell.scripts import STANDARD_INPUT, run_file, run_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.guard.shell.redirections import Streams
    from limpet.guard.shell.walk import Walk

    Builtin = Callable[[Walk, tuple[str, ...], Streams], str | None]


def _cd(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    operands = [word for word in words[1:] if word[:1] != "-" or word == "-"]
    walk.state.enter(operands[0] if operands else "~", program(words[0]) == "pushd")
    return ""


def _popd(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    walk.state.leave()
    return ""


def _set(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    if "--" in words:
        walk.state.positional = words[words.index("--") + 1 :]
    elif len(words) > 1 and words[1][:1] not in "-+":
        walk.state.positional = words[1:]
    return ""


def _shift(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    given = walk.state.positional
    walk.state.positional = given[1:] if given and len(words) == 1 else None
    return ""


def _read(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    names = [word for word in words[1:] if word.isidentifier()] or ["REPLY"]
    array = len(words) > 1 and (words[0] in ("mapfile", "readarray") or words[1][:1] == "-" and "a" in words[1])
    lines = (streams.fed or "").splitlines()
    if streams.fed is None or not lines:
        for name in names:
            walk.state.set(name, (UNKNOWN,))
    elif array:
        items = lines if words[0] != "read" else lines[0].split()
        walk.state.set(names[-1], (tuple(items),))
    else:
        cut = [line.split(None, len(names) - 1) if len(names) > 1 else [line.strip()] for line in lines]
        for number, name in enumerate(names):
            walk.state.set(name, tuple(line[number] if number < len(line) else "" for line in cut))
    return ""


def _alias(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    for word in words[1:]:
        name, equals, text = word.partition("=")
        if equals:
            walk.state.aliases[name] = text
    return ""


def _eval(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    return _text(walk, " ".join(words[1:]), "eval")


def _trap(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    operands = [word for word in words[1:] if word[:1] != "-"]
    return _text(walk, operands[0], "trap") if len(operands) > 1 else ""


def _text(walk: Walk, text: str, reached: str) -> str | None:
    if UNKNOWN in text:
        walk.unclear(f"a part of what {reached} runs is not known")
    return walk.text(text, reached)


def _source(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    if len(words) > 1 and words[1] in STANDARD_INPUT:
        return run_shell(walk, ("sh",), streams)
    if len(words) > 1:
        run_file(walk, words[1], words[2:], "source")
    return None


def _command(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    at = 1
    while at < len(words) and words[at][:1] == "-":
        if words[at] in ("-v", "-V"):
            return printed(words, "")
        at += 1
    return walk.run(words[at:], "command", streams, is_program=True)


def _printf(walk: Walk, words: tuple[str, ...], streams: Streams) -> str | None:
    if len(words) > 3 and words[1] == "-v":
        text = printed((words[0], *words[3:]), "")
        walk.state.set(words[2], (UNKNOWN if text is None else text,))
        return ""
    return printed(words, streams.fed)


BUILTINS: dict[str, Builtin] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _cd,
    "popd": _popd,
    "set": _set,
    "shift": _shift,
    "read": _read,
    "mapfile": _read,
    "readarray": _read,
    "alias": _alias,
    "eval": _eval,
    "trap": _trap,
    "source": _source,
    ".": _source,
    "command": _command,
    "printf": _printf,
}
