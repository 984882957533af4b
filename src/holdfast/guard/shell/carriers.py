"""Programs that build the command they run from more than their own words: find, xargs, parallel, git."""

from __future__ import annotations

from holdfast.guard.shell.command import UNKNOWN
from holdfast.guard.shell.options import after_options, knows, option_values, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.guard.shell.redirections import Streams
    from holdfast.guard.shell.walk import Walk

_XARGS_VALUES = frozenset("-I -n -P -L -s -d -E -a --max-args --max-procs --max-lines --delimiter --arg-file".split())
_PARALLEL_VALUES = frozenset(
    "-j --jobs -n -N --colsep -C -I -a --arg-file --joblog --results --timeout -S --delay".split()
)
_MOST_ITEMS = 24
_GIT_OPTIONS = ("-O", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--exec", "--ext-diff")
# Settings of git whose value is a command.
_COMMAND_SETTINGS = frozenset(
    "core.sshcommand core.editor core.pager core.askpass core.fsmonitor core.gitproxy diff.external sequence.editor "
    "gpg.program credential.helper merge.tool uploadpack.packobjectshook".split()
)


def _find(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    for option in ("-exec", "-execdir", "-ok", "-okdir"):
        rest = words
        while option in rest:
            rest = rest[rest.index(option) + 1 :]
            end = next((at for at, word in enumerate(rest) if word in (";", "+")), len(rest))
            walk.run(_filled(rest[:end]), f"find {option}")
            rest = rest[end:]


def _filled(words: tuple[str, ...], place: str = "{}") -> tuple[str, ...]:
    """Return words with the place of a file as what only the program knows; a shell's text keeps it."""
    return tuple(word.replace(place, UNKNOWN) if " " not in word else word for word in words)


def _fd(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    for option in ("-x", "--exec", "-X", "--exec-batch"):
        if option in words:
            inside = words[words.index(option) + 1 :]
            end = inside.index(";") if ";" in inside else len(inside)
            walk.run(_filled((*inside[:end], UNKNOWN)), f"{words[0]} {option}")


def _xargs(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    at, place = 1, ""
    while at < len(words) and words[at][:1] == "-":
        if words[at][:2] in ("-I", "-i") or words[at].startswith("--replace"):
            place = words[at][2:] if words[at][:2] == "-I" else "{}"
            place = place or "".join(words[at + 1 : at + 2])
        at += 2 if words[at] in _XARGS_VALUES else 1
    inside = words[at:]
    if not inside:
        return
    known = streams.fed is not None and UNKNOWN not in streams.fed
    if not place:
        items = (UNKNOWN,) if streams.fed is None else tuple(streams.fed.replace("\0", " ").split())[:_MOST_ITEMS]
        walk.run((*inside, *items), "xargs")
    elif not known:
        walk.run(_filled(inside, place), "xargs")
    else:
        for item in (streams.fed or "").splitlines()[:_MOST_ITEMS]:
            walk.run(tuple(word.replace(place, item) for word in inside), "xargs")


def _parallel(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    at = 1
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in _PARALLEL_VALUES else 1
    rest = words[at:]
    mark = next((at for at, word in enumerate(rest) if word in (":::", "::::", ":::+")), len(rest))
    template, items = " ".join(rest[:mark]), rest[mark + 1 :]
    if rest[mark : mark + 1] == ("::::",):
        items = (UNKNOWN,)
    if not items and mark == len(rest):
        items = (UNKNOWN,) if streams.fed is None else tuple(streams.fed.splitlines())[:_MOST_ITEMS]
    if UNKNOWN in "".join(items) and (not template or template.startswith("{}")):
        walk.unclear("what parallel runs is not known")
    for item in items[:_MOST_ITEMS]:
        own = item if UNKNOWN not in item else "{}"
        walk.text(template.replace("{}", own) if "{}" in template else f"{template} {own}".strip(), "parallel")


def _make(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    if any(word.startswith(("--eval", "-E")) for word in words) or ("-f" in words and "-" in words):
        walk.unclear("make is given rules on its command line")


def _concurrently(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    for word in words[1:]:
        if " " in word:
            walk.text(word, words[0])


def _scheduled(walk: Walk, words: tuple[str, ...], streams: Streams) -> None:
    """Walk what ``at``, ``batch`` and ``crontab -`` read: commands for later."""
    if streams.fed is None:
        walk.unclear(f"{words[0]} is fed with commands that are not known")
    for line in (streams.fed or "").splitlines():
        cut = line.split(None, 5)
        walk.text(cut[5] if words[0] == "crontab" and len(cut) == 6 else line, words[0])


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
    for word in words[1:]:
        mark, space, rest = word.strip().partition(" ")
        if space and mark.lstrip("0123456789,$ ") == "e" or mark == "e":
            walk.text(rest, "sed e")


CARRIERS: dict[str, Callable[[Walk, tuple[str, ...], Streams], None]] = {
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "make": _make,
    "gmake": _make,
    "concurrently": _concurrently,
    "npm-run-all": _concurrently,
    "at": _scheduled,
    "batch": _scheduled,
    "crontab": _scheduled,
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
    for value in option_values(rest, _GIT_OPTIONS) if rest[:1] != ("rebase",) else ():
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
    elif name.lower() in _COMMAND_SETTINGS or name.lower().endswith((".cmd", ".command", ".driver", ".textconv")):
        if value and value not in ("true", "false", "cache", "store", "cat"):
            walk.text(value.lstrip("!"), f"git setting {name}")
    elif UNKNOWN in name:
        walk.unclear("a setting of git is not known")
