"""Commands of the shell itself that change what it knows, or run a text."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, after_options, join, knows, listed, option_values, options_of, program
from limpet.guard.shell.expansion import ansi
from limpet.guard.shell.scripts import STANDARD_INPUT, run_file, run_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.guard.shell.state import Streams
    from limpet.guard.shell.walk import ShellWalk

    Builtin = Callable[[ShellWalk, tuple[str, ...], Streams], str | None]

_MOST_ITEMS = 24
# What commonly divides the parts of a script for sed.
_DELIMITERS = dict.fromkeys(map(ord, "|,#"), "/")


def _cd(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    operands = [word for word in words[1:] if word[:1] != "-" or word == "-"]
    walk.state.enter(operands[0] if operands else "~", program(words[0]) == "pushd")
    return ""


def _popd(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    walk.state.leave()
    return ""


def _set(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    if "--" in words:
        walk.state.positional = words[words.index("--") + 1 :]
    elif len(words) > 1 and words[1][:1] not in "-+":
        walk.state.positional = words[1:]
    return ""


def _shift(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    given = walk.state.positional
    walk.state.positional = given[1:] if given and len(words) == 1 else None
    return ""


def _read(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
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


def _alias(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    for word in words[1:]:
        name, equals, text = word.partition("=")
        if equals:
            walk.state.aliases[name] = text
    return ""


def _eval(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    return _text(walk, " ".join(words[1:]), "eval")


def _trap(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    operands = [word for word in words[1:] if word[:1] != "-"]
    return _text(walk, operands[0], "trap") if len(operands) > 1 else ""


def _text(walk: ShellWalk, text: str, reached: str) -> str | None:
    if UNKNOWN in text:
        walk.unclear(f"a part of what {reached} runs is not known")
    return walk.text(text, reached)


def _source(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    if len(words) > 1 and words[1] in STANDARD_INPUT:
        return run_shell(walk, ("sh",), streams)
    if len(words) > 1:
        run_file(walk, words[1], words[2:], "source")
    return None


def _command(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    at = 1
    while at < len(words) and words[at][:1] == "-":
        if words[at] in ("-v", "-V"):
            return printed(words, "")
        at += 1
    return walk.run(words[at:], "command", streams, is_program=True)


def _printf(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
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


def _find(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> None:
    # What it is told to look for stands for what it finds.
    sought = ([UNKNOWN, *option_values(words, ("-name", "-iname"))])[-1]
    for option in ("-exec", "-execdir", "-ok", "-okdir"):
        rest = words
        while option in rest:
            rest = rest[rest.index(option) + 1 :]
            end = next((at for at, word in enumerate(rest) if word in (";", "+")), len(rest))
            walk.run(_filled(rest[:end], "{}", sought), f"find {option}")
            rest = rest[end:]


def _filled(words: tuple[str, ...], place: str = "{}", file: str = UNKNOWN) -> tuple[str, ...]:
    return tuple(word.replace(place, file) if " " not in word else word for word in words)


def _xargs(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> None:
    at, place, values = 1, "", listed("xargs")
    while at < len(words) and words[at][:1] == "-":
        if words[at][:2] in ("-I", "-i") or words[at].startswith("--replace"):
            place = words[at][2:] if words[at][:2] == "-I" else "{}"
            place = place or "".join(words[at + 1 : at + 2])
        at += 2 if words[at] in values else 1
    inside = words[at:]
    if not inside:
        return
    files = option_values(words[:at], ("-a", "--arg-file"))
    fed = walk.state.contents.get(join(walk.state.folder, files[-1])) if files else streams.fed
    known = fed is not None and UNKNOWN not in fed
    if not place:
        items = (UNKNOWN,) if fed is None else tuple(fed.replace("\0", " ").split())[:_MOST_ITEMS]
        walk.run((*inside, *items), "xargs")
    elif not known:
        walk.run(_filled(inside, place), "xargs")
    else:
        for item in (fed or "").splitlines()[:_MOST_ITEMS]:
            walk.run(tuple(word.replace(place, item) for word in inside), "xargs")


def run_options(walk: ShellWalk, words: tuple[str, ...], name: str) -> None:
    options = options_of(name, "runners")
    for value in option_values(words[1:], options) if options else ():
        text = value.removeprefix("exec=")
        is_setting = "-o" in options and "=" in value
        name, _equals, command = value.partition("=") if is_setting else ("", "", text)
        if command and (not is_setting or name.lower() in ("proxycommand", "localcommand", "knownhostscommand")):
            walk.text(command, f"{words[0]} option")


def _sed(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> None:
    scripts = option_values(words, ("-e", "--expression")) or [word for word in words[1:] if word[:1] != "-"][:1]
    for part in ";".join(scripts).replace("\n", ";").replace("}", ";").split(";"):
        text = part.strip().lstrip("0123456789,$!{ ").translate(_DELIMITERS)
        flags = (piece.rpartition("/")[2] for piece in text.split())
        if any({"e", "w"}.intersection(each) and not each.strip("gpiImMew0123456789") for each in flags):
            walk.leave_code("sed", text.replace("/", " "), True)


CARRIERS: dict[str, Callable[[ShellWalk, tuple[str, ...], Streams], None]] = {
    "find": _find,
    "gfind": _find,
    "xargs": _xargs,
    "gxargs": _xargs,
    "sed": _sed,
    "gsed": _sed,
}


def run_git(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> bool:
    """Walk what git runs by an alias or a setting of these words; True where its word was such an alias."""
    at = after_options(words, options_of("git", "before"))
    for number, word in enumerate(words[1:at], 1):
        if word == "-c" or word == "--config-env":
            _setting(walk, *words[number + 1].partition("=")[::2]) if number + 1 < len(words) else None
    rest = words[at:]
    for value in option_values(rest, tuple(listed("git_options"))) if rest[:1] != ("rebase",) else ():
        walk.text(value, "git option")
    if any(word.startswith(("ext::", "--exec-path=")) for word in words):
        walk.unclear("git is told to run a program of another place")
    if rest[:1] == ("config",):
        operands = [word for word in rest[1:] if word[:1] != "-" and word not in ("set", "add")]
        if len(operands) == 2:
            _setting(walk, *operands)
    text = walk.state.git_aliases.get(rest[0]) if rest and not knows("git", rest[0]) else None
    if text is None:
        return False
    if text[:1] == "!":
        walk.text(" ".join((text[1:], *rest[1:])), "git alias")
    else:
        walk.run(("git", *text.split(), *rest[1:]), "git alias")
    return True


def _setting(walk: ShellWalk, name: str, value: str) -> None:
    if name.lower().startswith("alias."):
        walk.state.git_aliases[name[6:]] = value
    elif name.lower().endswith(tuple(listed("git_settings"))):
        if value and value not in ("true", "false", "cache", "store", "cat"):
            walk.text(value.lstrip("!"), f"git setting {name}")
    elif UNKNOWN in name:
        walk.unclear("a setting of git is not known")


def printed(words: tuple[str, ...], fed: str | None) -> str | None:
    """None where it is not known. ``fed``: what the command reads, "" for nothing, None where that is not known."""
    name, rest = program(words[0]), words[1:]
    if name in listed("silent"):
        return ""
    if name == "mktemp":
        return "/tmp/mktemp\n"
    if name == "echo":
        return _echo(rest)
    if name == "printf" and rest:
        return _printf_text(*rest)
    if name == "tee" or (name == "cat" and (not rest or rest == ("-",))):
        return fed
    if name in ("which", "type", "command", "whereis") and rest and rest[0] != words[-1] or name == "which":
        return words[-1] + "\n" if len(words) > 1 else ""
    return None


def _echo(words: tuple[str, ...]) -> str:
    flags = ""
    while words and words[0][:1] == "-" and words[0][1:] and not words[0].strip("-neE"):
        flags, words = flags + words[0], words[1:]
    text = " ".join(words)
    return (ansi(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def _printf_text(form: str, *given: str) -> str | None:
    """For the plain forms ``%s``, ``%d``, ``%q`` and ``%%``; the form is used up as often as there are arguments."""
    if form == "-v":
        return ""
    if form == "--":
        return _printf_text(*given) if given else ""
    marked = ansi(form).replace("%%", "\1").replace("%d", "%s").replace("%q", "%s")
    pieces, wants = marked.split("%s"), marked.count("%s")
    if UNKNOWN in form or any("%" in piece for piece in pieces):
        return None
    found, rest = "", list(given)
    while True:
        values = [rest.pop(0) if rest else "" for _ in range(wants)]
        found += "".join(piece + value for piece, value in zip(pieces, (*values, ""), strict=True))
        if not (rest and wants):
            return found.replace("\1", "%")
