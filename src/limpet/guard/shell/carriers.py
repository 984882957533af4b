"""Programs that build the command they run from more than their own words: find, xargs, git."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, join
from limpet.guard.shell.options import after_options, knows, listed, option_values, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.guard.shell.redirections import Streams
    from limpet.guard.shell.walk import Walk

_MOST_ITEMS = 24
# What commonly divides the parts of a script for sed.
_DELIMITERS = dict.fromkeys(map(ord, "|,#"), "/")


def _find(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
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
    """Return words with a file in its place, one that only the program knows; a shell's text keeps the place."""
    return tuple(word.replace(place, file) if " " not in word else word for word in words)


def _xargs(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
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


def run_options(walk: Walk, words: tuple[str, ...], name: str) -> None:
    """Walk the programs that options name, such as a pager or a filter."""
    options = options_of(name, "runners")
    for value in option_values(words[1:], options) if options else ():
        text = value.removeprefix("exec=")
        is_setting = "-o" in options and "=" in value
        name, _equals, command = value.partition("=") if is_setting else ("", "", text)
        if command and (not is_setting or name.lower() in ("proxycommand", "localcommand", "knownhostscommand")):
            walk.text(command, f"{words[0]} option")


def _sed(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    """Note a script that runs something or writes a file: ``e`` follows its last delimiter, or ``w`` and a name."""
    scripts = option_values(words, ("-e", "--expression")) or [word for word in words[1:] if word[:1] != "-"][:1]
    for part in ";".join(scripts).replace("\n", ";").replace("}", ";").split(";"):
        text = part.strip().lstrip("0123456789,$!{ ").translate(_DELIMITERS)
        flags = (piece.rpartition("/")[2] for piece in text.split())
        if any({"e", "w"}.intersection(each) and not each.strip("gpiImMew0123456789") for each in flags):
            walk.leave_code("sed", text.replace("/", " "), True)


CARRIERS: dict[str, Callable[[Walk, tuple[str, ...], Streams], None]] = {
    "find": _find,
    "gfind": _find,
    "xargs": _xargs,
    "gxargs": _xargs,
    "sed": _sed,
    "gsed": _sed,
}


def run_git(walk: Walk, words: tuple[str, ...], streams: Streams) -> bool:
    """Walk what git runs by an alias or a setting of these words; return whether its word was such an alias."""
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


def _setting(walk: Walk, name: str, value: str) -> None:
    if name.lower().startswith("alias."):
        walk.state.git_aliases[name[6:]] = value
    elif name.lower().endswith(tuple(listed("git_settings"))):
        if value and value not in ("true", "false", "cache", "store", "cat"):
            walk.text(value.lstrip("!"), f"git setting {name}")
    elif UNKNOWN in name:
        walk.unclear("a setting of git is not known")
