"""What a list of words does: a function, an alias or a program, and what that runs in turn."""

from __future__ import annotations

from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value
from limpet.guard.shell.builtins import BUILTINS, CARRIERS, printed, run_git, run_options
from limpet.guard.shell.command import (
    UNKNOWN,
    after_options,
    join,
    knows,
    listed,
    option_values,
    options_of,
    program,
    subcommand,
)
from limpet.guard.shell.scripts import find_interpreter, run_file, run_interpreter, run_shell
from limpet.guard.shell.state import Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.guard.shell.state import Item
    from limpet.guard.shell.walk import ShellWalk

# How deep texts and wrappers may hold others before it is not clear.
DEEPEST = 8


def run_words(walk: ShellWalk, words: tuple[str, ...], streams: Streams, is_program: bool = False) -> str | None:
    """What the words print, None where that is not known. ``is_program``: functions and aliases of that name do not
    count, as after ``command``."""
    if len(walk.within) > DEEPEST:
        return walk.unclear("it is nested too deeply")
    if words[0][:1] == "=" and len(words[0]) > 1:
        words = (words[0][1:], *words[1:])  # zsh: the program of that name
    name = program(words[0])
    alias = None if is_program else walk.state.aliases.get(words[0])
    if alias is not None and f"alias {name}" not in walk.within:
        return walk.text(" ".join((alias, *map(quoted, words[1:]))), f"alias {name}", streams.fed)
    if words[0] in walk.state.functions and not is_program:
        return _call(walk, words, streams)
    folder = walk.state.folder
    for value in _folders(words, name):
        folder = join(folder, value)
    walk.record(words, streams, folder)
    if not name:
        after = " ".join(words[1:3]).replace(UNKNOWN, "?")
        return walk.unclear(f"the program before {after!r} is not known" if after else "a program is not known")
    if name in listed("subscripts") and any("[$(" in word or "[`" in word for word in words):
        walk.unclear(f"{name} runs what stands in an index")
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin(walk, words, streams)
    if name in listed("shells"):
        return run_shell(walk, words, streams)
    run_options(walk, words, name)
    if name in CARRIERS:
        CARRIERS[name](walk, words, streams)
    elif not (name == "git" and run_git(walk, words, streams)) and not _wrapped(walk, words, name, streams):
        interpreter = find_interpreter(name)
        if interpreter is not None:
            run_interpreter(walk, words, streams, interpreter)
        elif "/" in words[0] or walk.state.contents:
            run_file(walk, words[0], words[1:])
    _check_subcommand(walk, words, name)
    for path in words[1:] if name == "tee" else ():
        walk.state.write(path, streams.fed, "-a" in words)
    return _folder_in(walk, words, name) or printed(words, streams.fed)


def quoted(word: str) -> str:
    """One with an unknown part stays open."""
    if UNKNOWN in word:
        return word
    return word if word.replace("-", "").replace("/", "").isalnum() else "'" + word.replace("'", "'\\''") + "'"


def set_for(walk: ShellWalk, name: str, values: tuple[Item, ...]) -> None:
    if name in listed("sourced") and any(values):
        walk.unclear(f"the variable {name} makes programs run something")
    elif name in listed("commands"):
        for each in values:
            if isinstance(each, str) and each and UNKNOWN not in each:
                walk.text(each, f"variable {name}")


class Wrapper(Value):
    """How a program names the one that it runs, as the file explains."""

    values: str = ""
    skip: int = 0
    texts: str = ""
    joined: bool = False
    after: str = ""
    assigns: bool = False
    away: bool = False


class Inner(Value):
    """What a program would run: another program's words, and texts for a shell."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()


def find_wrapper(words: tuple[str, ...], name: str) -> tuple[Wrapper, int] | None:
    table = read_shipped("shell")["wrappers"]
    for length in (3, 2, 1):
        row = table.get(" ".join((name, *words[1:length])))
        if row is not None and len(words) >= length:
            return Wrapper(**(table[row] if isinstance(row, str) else row)), length
    return None


def inner(words: tuple[str, ...], wrapper: Wrapper, start: int) -> Inner:
    after = next((words.index(each, start) for each in wrapper.after.split() if each in words[start:]), 0)
    if after:
        return Inner(words[after + 1 :])
    values, text_options = wrapper.values.split(), wrapper.texts.split()
    texts: list[str] = []
    assigned: list[tuple[str, str]] = []
    at, skipped = start, 0
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        if word == "--":
            at += 1
            break
        if word[:1] == "-" and len(word) > 1:
            if option in text_options or _ends_in(word, text_options):
                texts.append(value if equals and option in text_options else "".join(words[at + 1 : at + 2]))
                at += 1 if equals and option in text_options else 2
            else:
                at += 2 if not equals and (option in values or _ends_in(word, values)) else 1
        elif wrapper.assigns and equals and option.isidentifier():
            assigned.append((option, value))
            at += 1
        elif skipped < wrapper.skip:
            skipped, at = skipped + 1, at + 1
        else:
            break
    rest = words[at:]
    if wrapper.joined and rest:
        return Inner((), (*texts, " ".join(rest)), tuple(assigned))
    return Inner(rest, tuple(texts), tuple(assigned))


def _call(walk: ShellWalk, words: tuple[str, ...], streams: Streams) -> str | None:
    reached = f"function {words[0]}"
    if walk.within.count(reached) > 1:
        return walk.unclear(f"the function {words[0]} calls itself")
    before, positional = walk.within, walk.state.positional
    walk.within, walk.state.positional = (*before, reached), words[1:]
    printed_text = walk.statement(walk.state.functions[words[0]], streams.fed)
    walk.within, walk.state.positional = before, positional
    if streams.writes or streams.reads:
        walk.record((), streams)
    return printed_text


def _folders(words: tuple[str, ...], name: str) -> list[str]:
    # Later options of git have other meanings, such as ``git commit -C HEAD``.
    own = words[1 : after_options(words, options_of(name, "before"))] if name in ("git", "hub") else words[1:]
    return option_values(own, options_of(name, "folders"))


def _folder_in(walk: ShellWalk, words: tuple[str, ...], name: str) -> str:
    """The path that some programs print, "" for others."""
    here, operands = walk.state.here(), [word for word in words[1:] if word[:1] != "-"]
    path = join(here, operands[0]) if operands else here
    if name == "pwd":
        return here
    if name == "git" and "--show-toplevel" in words:
        return walk.state.top
    if name == "git" and walk.state.top and not {"--git-dir", "--absolute-git-dir"}.isdisjoint(words):
        return f"{walk.state.top}/.git"
    if len(operands) != 1 or UNKNOWN in path:
        return ""
    if name in ("dirname", "basename"):
        return path.rpartition("/")[0 if name == "dirname" else 2]
    return path if name in ("realpath", "readlink") else ""


def _check_subcommand(walk: ShellWalk, words: tuple[str, ...], name: str) -> None:
    found = subcommand(words, name)
    if found is None:
        return
    if UNKNOWN in found:
        walk.unclear(f"what {name} is told to do is not known")
    elif found and not knows(name, found) and found not in walk.state.git_aliases:
        walk.unclear(f"{name} {found} may be an alias")


def _wrapped(walk: ShellWalk, words: tuple[str, ...], name: str, streams: Streams) -> bool:
    found = find_wrapper(words, name)
    if found is None:
        return False
    wrapper, start = found
    inside = inner(words, wrapper, start)
    before, folder = walk.within, walk.state.folder
    label = " ".join((name, *words[1:start]))
    walk.within = (*before, label)
    if wrapper.away:
        walk.state.folder = UNKNOWN
    for variable, value in inside.assigned:
        set_for(walk, variable, (value,))
    for value in _folders(words[: len(words) - len(inside.words)], name):
        walk.state.enter(value)
    for text in inside.texts:
        if UNKNOWN in text:
            walk.unclear(f"a part of what {label} runs is not known")
        walk.text(text, "", streams.fed)
    if inside.words:
        first, at, _version = inside.words[0].rpartition("@")
        run_words(walk, (first, *inside.words[1:]) if at and first else inside.words, Streams(streams.fed))
    elif not inside.texts and wrapper.away and wrapper.joined and streams.fed != "":
        walk.unclear(f"{label} is fed with commands") if streams.fed is None else walk.text(streams.fed)
    walk.within, walk.state.folder = before, folder
    return True


def _ends_in(word: str, options: list[str]) -> bool:
    is_cluster = word[:1] == "-" and word[1:2] != "-" and len(word) > 2 and word[1:].isalpha()
    return is_cluster and word[:2] not in options and f"-{word[-1]}" in options
