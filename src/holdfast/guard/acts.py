"""What commands and tools do: pushes, releases, writes and reads of paths; of programs ``guard.programs`` tells it."""

from __future__ import annotations

from holdfast.ground.text.globs import find_glob
from holdfast.ground.values import Value
from holdfast.guard.programs import find_program
from holdfast.guard.reading import fits, holds, path_values, read_words, targets
from holdfast.guard.shell.code.languages import language_of
from holdfast.guard.shell.command import UNKNOWN, Command, Understood, join, program
from holdfast.guard.table import read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.guard.call import ToolCall
    from holdfast.guard.programs import Rule
    from holdfast.guard.scene import Scene

KINDS = (
    *("push", "pull-request", "merge-request", "release", "deploy", "remote-api", "commit", "conversation"),
    *("configure", "destructive", "write", "read", "network", "run"),
)
# Of these the target is a path; of the others it is the program.
OF_PATHS = frozenset(("write", "read"))
# Programs that do nothing by themselves: they print, compare or set something, or run another program that is a command
# of its own.
_NOTHING = frozenset(
    "cd chdir pushd popd echo printf true false : test [ [[ pwd export set unset shift return exit break continue "
    "local declare typeset readonly read mapfile readarray alias unalias type which command hash whereis shopt "
    "umask trap wait sleep date uname whoami id hostname arch nproc env printenv expr seq yes basename dirname "
    "tput clear reset tr bc getopts jobs fg bg disown times ulimit let eval builtin exec sudo doas nohup time "
    "nice timeout stdbuf xargs setsid locale tty groups users uptime free df ps top lsof pgrep man help info "
    "history ldd nm objdump write-host write-output get-location set-location get-command get-help get-process "
    "get-date start-sleep out-null out-string format-table format-list select-object where-object sort-object "
    "measure-object foreach-object".split()
)
_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin", "/dev/fd/", "nul", "$null")


class Act(Value):
    """One thing that a command does.

    ``kind``: one of ``KINDS``.
    ``target``: the path for ``write`` and ``read``, as seen from the start and with ``UNKNOWN`` where it is not known,
    "." for the start itself; else the program.
    ``text``: the command in words.
    """

    kind: str
    target: str
    text: str


def acts_of(understood: Understood) -> tuple[Act, ...]:
    """Return what all the commands do, each act once, in the order of the text."""
    return tuple(dict.fromkeys(act for command in understood.commands for act in _acts(command)))


def acts_of_tool(call: ToolCall, scene: Scene) -> tuple[Act, ...]:
    """Return the one act of a tool that is neither shell nor file, by the settings, its name or its own hints; else it
    is ``run``.

    A hint makes it stricter than ``run`` only where it says so, and reading is believed for what no rule forbids.
    """
    own = scene.settings.get("tools", {})
    for pattern, kind in (*own.items(), *read_table()["tools"].items()):
        if find_glob((pattern,), call.tool):
            return (Act(kind, call.tool, call.tool),)
    kind = "destructive" if call.hints.get("destructiveHint") else "read" if call.hints.get("readOnlyHint") else "run"
    return (Act(kind, call.tool, call.tool),)


def _acts(command: Command) -> Iterator[Act]:
    text = " ".join(command.words)
    for kind, paths in (("write", command.writes), ("read", command.reads)):
        for path in paths:
            yield from _on_path(kind, path, command, text or path)
    if not command.words:
        return
    name = program(command.words[0])
    found = find_program(name)
    if found is None and name != name.lower():
        found = find_program(name.lower())
        name = name.lower() if found is not None else name
    if name in _NOTHING:
        return
    is_known = False
    for kind, target in _by_rules(command, *found) if found is not None else ():
        is_known = True
        if kind not in OF_PATHS:
            yield Act(kind, name, text)
        else:
            yield from _on_path(kind, target, command, text) if target else ()
    language = language_of(name)
    if language is not None:
        from holdfast.guard.code_acts import acts_of_code

        for kind, target in acts_of_code(command, language):
            yield from _on_path(kind, target, command, text) if kind in OF_PATHS else (Act(kind, name, text),)
    if not is_known:
        yield Act("run", name or UNKNOWN, text)


def _by_rules(command: Command, with_value: str, rules: list[Rule]) -> Iterator[tuple[str, str]]:
    """Return the kinds of act and the paths of those rules that fit; a path is "" where a rule that fits has none."""
    given = read_words(command, with_value)
    has_fitted = False
    for words, conditions, kind, spec in rules:
        if (words == "" and conditions == "" and kind == "network" and has_fitted) or not fits(words, given.operands):
            continue
        if not holds(conditions, given):
            continue
        has_fitted = True
        if kind not in OF_PATHS:
            yield kind, ""
            continue
        found = targets(spec, given, words)
        if kind == "read" and spec != ".":
            found += [path for path in path_values(given) if path not in found]
        yield from ((kind, path) for path in found or ("",))


def _on_path(kind: str, path: str, command: Command, text: str) -> Iterator[Act]:
    if path.startswith("/dev/tcp/") or path.startswith("/dev/udp/"):
        yield Act("network", path, text)
    elif not path.startswith(_DEVICES) and "://" not in path and not _is_remote(path, command):
        yield Act(kind, join(command.folder, path) or ".", text)


def _is_remote(path: str, command: Command) -> bool:
    """Return whether a path is on another machine, as ``host:path`` is for scp and rsync."""
    host = path.partition("/")[0]
    return ":" in host[2:] and bool(command.words) and program(command.words[0]) in ("scp", "rsync", "sftp")
