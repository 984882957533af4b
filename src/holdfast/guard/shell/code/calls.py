"""Code for interpreters, searched for calls that run commands; no more of a language is understood than its strings."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.guard.shell.code.tokens import LONGEST, MARK, NAME, STRING, tokens_of
from holdfast.guard.shell.command import UNKNOWN, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.code.tokens import Token


class Calls(Value):
    """What code runs: texts for a shell and lists of words; ``why`` it is not clear; ``texts`` are its own words."""

    runs: tuple[str | tuple[str, ...], ...] = ()
    why: str = ""
    texts: tuple[str, ...] = ()


# Names of calls that run what they are given.
_RUNNERS = frozenset(
    "system execute popen popen2 popen3 Popen run call check_call check_output getoutput getstatusoutput spawn "
    "spawnSync spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe execl execle execlp execlpe execv "
    "execve execvp execvpe execFile execFileSync execSync shell_exec passthru proc_open pcntl_exec posix_spawn "
    "posix_spawnp startfile create_subprocess_shell create_subprocess_exec execa execaSync system2 cmd shell "
    "doShellScript".split()
)
# These run commands in some languages and code or nothing at all in others.
_EXEC = frozenset(("exec",))
_EXEC_RUNS = frozenset(("javascript", "perl", "ruby", "php", "tcl", "lua"))
# Names that run nothing by themselves unless one of the modules is at work.
_COMMON = frozenset(("run", "call", "spawn", "cmd", "shell", "execute"))
_MODULES = frozenset(
    "subprocess child_process pty pexpect sh plumbum invoke fabric execa shelljs zx open3 Open3 commands "
    "asyncio Bun Deno spawn_sync".split()
)
_LOOKED_INTO = _MODULES | {"os", "builtins", "__builtins__", "sys", "__import__", "importlib", "ctypes"}
_DYNAMIC = frozenset("eval exec compile __import__ getattr Function loadstring load instance_eval class_eval".split())
_HIDDEN = frozenset("b64decode fromhex atob unhexlify rot13 base64_decode decode64 unpack fromCharCode chr".split())
# Before ``=`` these change a variable instead of setting it.
_MARKS = frozenset("+-*/%.|&^:?")
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_WITHOUT_MODULES = frozenset(("r", "php", "groovy", "elixir", "ruby", "julia", "lua"))
_LINE_MARKS = {
    "vim": ("!",),
    "tcl": ("exec ", "spawn ", "system "),
    "psql": ("\\!",),
    "sqlite": (".shell", ".system"),
    "gdb": ("shell", "!", "pipe"),
}
_DO_SHELL_SCRIPT = ["do", "shell", "script"]
_LISP_RUNNERS = ("shell-command", "call-process", "start-process", "process-lines", "make-process")


def calls_of(text: str, language: str) -> Calls:
    """Return what code runs, as far as it says so in plain strings."""
    if len(text) > LONGEST:
        return Calls((), "the code is too long", words_of(text[:LONGEST]))
    texts = words_of(text)
    if language == "applescript":
        text = " ".join("doShellScript" if line.lower() == "do shell script" else line for line in _phrases(text))
    if language in _LINE_MARKS:
        lines = _lines(text, language)
        is_hidden = language == "tcl" and not lines and not {"exec", "spawn", "system", "eval"}.isdisjoint(texts)
        return Calls(tuple(lines), "the code runs programs" if is_hidden else "", texts)
    if language == "lisp" and any(name in text for name in _LISP_RUNNERS):
        return Calls((), "the code runs programs", texts)
    tokens = tokens_of(text, language)
    runs, why = _calls(tokens, language)
    if language == "awk":
        runs += _awk_pipes(tokens)
    if language in ("perl", "ruby") and (NAME, "open") in tokens:
        runs += [
            value.strip("|") for kind, value in tokens if kind == STRING and value.strip() != value.strip().strip("|")
        ]
    if not why and not runs:
        kinds = (NAME, STRING) if language == "javascript" else (NAME,)
        why = _lookup(tokens) or _suspicion(
            {value.removeprefix("node:") for kind, value in tokens if kind in kinds}, language
        )
    return Calls(tuple(runs), why, texts)


def _phrases(text: str) -> list[str]:
    """Return the words of AppleScript, with the three that run a text for a shell as one."""
    words = text.split()
    starts = [at for at in range(len(words) - 2) if [word.lower() for word in words[at : at + 3]] == _DO_SHELL_SCRIPT]
    return [
        " ".join(words[at : at + 3]) if at in starts else word
        for at, word in enumerate(words)
        if not {at - 1, at - 2}.intersection(starts)
    ]


def _lines(text: str, language: str) -> list[str]:
    found = []
    for line in text.replace("|", "\n").splitlines() if language == "vim" else text.splitlines():
        line = line.strip().lstrip(":").removeprefix("silent ").removeprefix("execute ")
        mark = next((each for each in _LINE_MARKS[language] if line.startswith(each)), None)
        if mark is not None:
            found.append(line[len(mark) :].lstrip("! "))
    return found


def _lookup(tokens: list[Token]) -> str:
    """Return why code that looks up a part of such a module by a name is not clear, "" where it does not."""
    for at, (kind, value) in enumerate(tokens[:-2]):
        if kind == NAME and value in ("getattr", "vars") and tokens[at + 2][1] in _LOOKED_INTO:
            return "the code reaches a module in a way that is not understood"
    return ""


def _suspicion(names: set[str], language: str) -> str:
    """Return why code without a call that is understood may still run a program, "" where it does not look so."""
    if names & (_MODULES - {"asyncio", "commands", "sh", "invoke"}):
        return "the code uses a module that runs programs"
    if language == "python" and "os" in names and names & {"system", "popen", "__dict__"}:
        return "the code reaches os in a way that is not understood"
    if names & _DYNAMIC and names & _HIDDEN:
        return "the code runs code that it decodes"
    return ""


def _calls(tokens: list[Token], language: str) -> tuple[list[str | tuple[str, ...]], str]:
    runs: list[str | tuple[str, ...]] = []
    why = ""
    names = {value.removeprefix("node:") for _kind, value in tokens}
    constants = _constants(tokens)
    for at, (kind, value) in enumerate(tokens):
        if kind == "backtick":
            runs.append(value)
            why = why or ("a part of what the code runs is not known" if UNKNOWN in value else "")
            continue
        if kind != NAME or not _may_run(value, names, tokens, at, language):
            continue
        following = tokens[at + 1 : at + 2]
        if following == [(MARK, "{")] and language == "perl":
            why = why or "what the code runs is not known"
            continue
        if following == [(MARK, "(")]:
            arguments = _arguments(tokens, at + 1)
        elif following and following[0][0] == STRING and language in ("perl", "ruby", "tcl", "r", "applescript"):
            arguments = tokens[at + 1 : at + 12]
        else:
            continue
        if len(arguments) == 1 and arguments[0][1] in constants and not _takes_code(value, language):
            runs += constants[arguments[0][1]]
            continue
        found, reason = _run_of(arguments, value, language)
        runs += found
        why = why or reason
    return runs, why


def _constants(tokens: list[Token]) -> dict[str, list[str]]:
    """Return the variables that are only ever set to plain strings, each with these."""
    found: dict[str, list[str]] = {}
    other: set[str] = set()
    for at, (kind, name) in enumerate(tokens[:-2]):
        mark, value = tokens[at + 1], tokens[at + 2]
        if kind == NAME and (mark == (NAME, "in") or (mark[1] in _MARKS and value == (MARK, "="))):
            other.add(name)
        if kind != NAME or mark != (MARK, "=") or value == (MARK, "="):
            continue
        follows = tokens[at + 3][1] if at + 3 < len(tokens) else ""
        if value[0] == STRING and UNKNOWN not in value[1] and follows not in ("+", "%", ".", "[", "*", "?"):
            found.setdefault(name, []).append(value[1])
        else:
            other.add(name)
    return {name: values for name, values in found.items() if name not in other}


def _may_run(name: str, names: set[str], tokens: list[Token], at: int, language: str) -> bool:
    before = tokens[at - 1][1] if at else ""
    if before in ("def", "function", "sub") or (language == "php" and before == ">"):
        return False
    if name in _EXEC or name in ("eval", "Function"):
        return language != "javascript" or name not in _EXEC or bool(names & _MODULES)
    if name not in _RUNNERS:
        return False
    return name not in _COMMON or bool(names & _MODULES) or language in _WITHOUT_MODULES


def _takes_code(name: str, language: str) -> bool:
    return name in ("eval", "Function") or (name in _EXEC and language not in _EXEC_RUNS)


def _arguments(tokens: list[Token], opened: int) -> list[Token]:
    depth = 0
    for at in range(opened, len(tokens)):
        value = tokens[at][1] if tokens[at][0] == MARK else ""
        depth += (value in _OPENERS) - (value in _OPENERS.values() and value != "")
        if depth == 0:
            return tokens[opened + 1 : at]
    return tokens[opened + 1 :]


def _run_of(arguments: list[Token], name: str, language: str) -> tuple[list[str | tuple[str, ...]], str]:
    """Return what one call runs, and why that is not clear."""
    if not arguments:
        return [], ""
    runs_code = _takes_code(name, language)
    if (name in _EXEC and arguments[0][0] != STRING and language == "javascript") or language == "tcl" and runs_code:
        # A regular expression's ``exec`` is called with a text that code has made.
        return [], ""
    first, rest = _first(arguments)
    strings = [value for kind, value in first if kind == STRING]
    marks = {value for kind, value in first if kind == MARK}
    if len(strings) == len(first) == 1 and UNKNOWN not in strings[0]:
        if runs_code:
            inside = calls_of(strings[0], language)
            return list(inside.runs), inside.why
        more = _strings_of(rest)
        if more is None:
            return [(strings[0], UNKNOWN)], "a part of what the code runs is not known"
        return [(strings[0], *more) if more else strings[0]], ""
    if strings and marks <= {"[", "]", ",", "(", ")"} and len(strings) + _marks(first) == len(first):
        return [tuple(strings)], "" if not any(UNKNOWN in each for each in strings) else "a word of it is not known"
    known = tuple(each for each in strings if UNKNOWN not in each)
    return [known] if known and "[" in marks else [], "what the code runs is not known"


def _marks(tokens: list[Token]) -> int:
    return sum(kind == MARK for kind, _value in tokens)


def _first(arguments: list[Token]) -> tuple[list[Token], list[Token]]:
    depth = 0
    for at, (kind, value) in enumerate(arguments):
        if kind == MARK:
            depth += (value in _OPENERS) - (value in _OPENERS.values())
            if value == "," and depth == 0:
                return arguments[:at], arguments[at + 1 :]
    return arguments, []


def _strings_of(arguments: list[Token]) -> list[str] | None:
    """Return the further words of a call such as ``execl("git", "git", "push")`` or ``spawn("git", ["push"])``.

    Returns None where one of them is not known; options by name and objects are no words.
    """
    found: list[str] = []
    rest = arguments
    while rest:
        first, rest = _first(rest)
        if not first or (MARK, "=") in first or first[0] == (MARK, "{") or (MARK, ":") in first:
            continue
        strings = [value for kind, value in first if kind == STRING]
        if not strings and first[0][0] == NAME and len(first) == 1 and first[0][1] not in ("env", "argv", "args"):
            continue
        if not strings or len(strings) + _marks(first) != len(first):
            return None if first[0] == (MARK, "[") and len(first) > 2 or first[0][0] == NAME else found
        found += strings
    return found


def _awk_pipes(tokens: list[Token]) -> list[str | tuple[str, ...]]:
    """Return the commands that awk pipes into or reads from: ``"cmd" | getline`` and ``print | "cmd"``."""
    found: list[str | tuple[str, ...]] = []
    for at, (kind, value) in enumerate(tokens):
        if (kind, value) == (MARK, "|"):
            if tokens[at + 1 : at + 2] == [(NAME, "getline")] and at and tokens[at - 1][0] == STRING:
                found.append(tokens[at - 1][1])
            elif at + 1 < len(tokens) and tokens[at + 1][0] == STRING:
                found.append(tokens[at + 1][1])
    return found
