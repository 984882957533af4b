"""Reads a domain file's text as rules, in the spellings of CARL, SYNAPSE and ADR-001 alike, and finds the star-commands
in a prompt."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container
    from typing import Any

    Line = tuple[int, str, str | None]

BRACKETS = ("FRESH", "MODERATE", "DEPLETED", "CRITICAL")
PREFIXES = ("AGENT_", "WORKFLOW_")
# Domains whose rules no file can call.
UNCALLED = ("CONSTITUTION", "CONTEXT", "COMMANDS")
# How SYNAPSE's keys of a star-command's rules begin.
OF_COMMAND = "COMMANDS_CMD_"
PATHS, CHECK, TELL, DEED = "PATHS", "CHECK", "TELL", "DEED"
TRUE_WORDS = ("active", "true", "yes", "1", "on")
FALSE_WORDS = ("inactive", "false", "no", "0", "off")
PRIVATE, YES = "private", "yes"
MEMORY_COMMANDS = ("remember", "recall", "forget", "memories", "gotcha")
RESERVED = ("limpet", PRIVATE, "agent", "work", "develop", "mode", "yolo", YES, *MEMORY_COMMANDS)
"""Commands that act, whatever rules a file has under their names."""
# So many words behind a command are its own, and not of a task.
OWN_WORDS = {**dict.fromkeys(("limpet", *MEMORY_COMMANDS), 1_000_000), **dict.fromkeys(("agent", "work", "mode"), 1)}
# Letters of a name that a typing error is looked for in.
MISTYPED_WITHIN = 4000
_AFTER_NAME = " \t\r\n.,;:!?)"


class DomainText(Value):
    """``authority``: rules on what an agent may decide (``AUTH``).
    ``brackets``, ``commands``, ``articles``: rules by context bracket, star-command and article number.
    ``disabled``: brackets whose flag is off.
    ``paths``: globs of the files that call the domain.
    ``checks``: (line, number of the rule as its key has it, check); ``tells``: the agent is told of a broken one.
    ``deeds``: (practice of work, rule that is said again where it begins).
    ``foreign``: (line, key) of keys whose prefix is another domain's, and of those that are no rule.
    """

    rules: tuple[str, ...] = ()
    authority: tuple[str, ...] = ()
    brackets: dict[str, list[str]] = {}
    disabled: tuple[str, ...] = ()
    commands: dict[str, list[str]] = {}
    articles: dict[str, list[str]] = {}
    paths: tuple[str, ...] = ()
    checks: tuple[tuple[int, str, str], ...] = ()
    tells: bool = False
    deeds: tuple[tuple[str, str], ...] = ()
    foreign: tuple[tuple[int, str], ...] = ()


def read_domain(name: str, text: str) -> DomainText:
    """In file order; a file without any ``KEY=`` line holds one rule a line."""
    lines = read_lines(text)
    if not has_keys(name, lines):
        content = text.splitlines()
        return DomainText(rules=tuple(content[number - 1].strip() for number, _, _ in lines))
    draft = _Draft(name)
    for number, key, value in lines:
        if value is None:
            draft.read_header(key)
        elif value:
            draft.read_rule(number, key, value)
    return draft.text()


def has_keys(name: str, lines: list[Line]) -> bool:
    keys = [key for _, key, value in lines if value is not None]
    return name == "COMMANDS" or any(is_key(key) or (split_rule(key)[1] and " " not in key) for key in keys)


def command_name(key: str) -> str:
    return key.lower().replace("_", "-")


def short_name(name: str) -> str:
    return next((name[len(prefix) :] for prefix in PREFIXES if name.startswith(prefix) and name != prefix), name)


def split_rule(key: str) -> tuple[str, str, str]:
    """Return (prefix, RULE or AUTH, rest) of ``DEV_RULE_AUTH_0``; the middle is empty when the key is no rule."""
    if key.startswith(OF_COMMAND):
        return OF_COMMAND.partition("_")[0], "RULE", key[len(OF_COMMAND) :]
    for infix in ("RULE", "AUTH"):
        prefix, found, rest = key.partition(f"_{infix}_")
        if found and prefix:
            return prefix, infix, rest
    return key, "", ""


def split_setting(key: str) -> tuple[str, str, str]:
    """(Prefix, PATHS, CHECK or DEED, rest) of ``DEV_PATHS``, ``DEV_CHECK_0``, ``DEV_CHECK_TELL``, ``DEV_DEED_0``; the
    middle is empty when the key is none of them."""
    if split_rule(key)[1]:
        return key, "", ""
    if key.endswith(f"_{PATHS}") and key != f"_{PATHS}":
        return key[: -len(PATHS) - 1], PATHS, ""
    for kind in (CHECK, DEED):
        prefix, found, rest = key.rpartition(f"_{kind}_")
        if found and prefix and rest:
            return prefix, kind, rest
    return key, "", ""


def rule_number_of(key: str) -> str:
    _, infix, rest = split_rule(key)
    return rest if infix == "RULE" and not rest.startswith("AUTH") else ""


def is_about_rule(key: str) -> bool:
    """Whether it says something of a rule, as CARL's ``SAFETY_RULE_0_PRIORITY`` and ``_FILE`` do, and is none."""
    number, _, more = split_rule(key)[2].partition("_")
    return number.isdecimal() and bool(more) and not more.isdecimal()


class _Draft:
    def __init__(self, name: str) -> None:
        self.name = name
        self.own = {name, short_name(name)}
        self.group = ""
        self.headed: dict[str, str] = {}
        self.rules: list[str] = []
        self.authority: list[str] = []
        self.brackets: dict[str, list[str]] = {}
        self.disabled: list[str] = []
        self.commands: dict[str, list[str]] = {}
        self.articles: dict[str, list[str]] = {}
        self.paths: list[str] = []
        self.checks: list[tuple[int, str, str]] = []
        self.tells = False
        self.numbered: dict[str, str] = {}
        self.begun: list[tuple[str, str]] = []
        self.foreign: list[tuple[int, str]] = []

    def read_header(self, line: str) -> None:
        if self.name == "COMMANDS" and line.startswith("[*") and "]" in line:
            self.group = command_name(line[2 : line.index("]")].strip())
        elif self.group:
            self.commands.setdefault(self.group, []).append(line)

    def read_rule(self, number: int, key: str, value: str) -> None:
        prefix, infix, rest = split_rule(key)
        if key.endswith("_RULES") and key[:-6] in BRACKETS:
            if not is_true(value):
                self.disabled.append(key[:-6])
        elif not infix:
            self._read_setting(number, key, value)
        elif is_about_rule(key):
            self.foreign.append((number, key))
        elif self.name == "COMMANDS":
            self._read_command((number, key), prefix, rest, value)
        elif self.name == "CONTEXT" and (prefix in BRACKETS or rest.partition("_")[0] in BRACKETS):
            bracket = prefix if prefix in BRACKETS else rest.partition("_")[0]
            self.brackets.setdefault(bracket, []).append(value)
        elif self.name == "CONSTITUTION" and rest.startswith("ART"):
            self.articles.setdefault(rest[3:].partition("_")[0], []).append(value)
        else:
            self.numbered[rest] = value
            (self.authority if infix == "AUTH" or rest.startswith("AUTH") else self.rules).append(value)
            if prefix not in self.own:
                self.foreign.append((number, key))

    def _read_setting(self, number: int, key: str, value: str) -> None:
        prefix, kind, rest = split_setting(key)
        if not kind or prefix not in self.own or self.name in UNCALLED:
            self.foreign.append((number, key))
        elif kind == PATHS:
            self.paths += read_list(value)
        elif kind == DEED:
            self.begun += [(practice, rest) for practice in read_list(value)]
        elif rest == TELL:
            self.tells = is_true(value)
        else:
            self.checks.append((number, rest, value))

    def _read_command(self, place: tuple[int, str], prefix: str, rest: str, value: str) -> None:
        own = command_name(rest.rpartition("_")[0] if prefix == "COMMANDS" else prefix)
        if value.startswith("[*") and "]" in value:
            self.headed[own] = command_name(value[2 : value.index("]")].strip())
            value = value[value.index("]") + 1 :].strip() or value
        name = self.group or self.headed.get(own, own)
        if name:
            self.commands.setdefault(name, []).append(value)
        else:
            self.foreign.append(place)

    @property
    def deeds(self) -> list[tuple[str, str]]:
        return [(practice, self.numbered[rule]) for practice, rule in self.begun if rule in self.numbered]

    def text(self) -> DomainText:
        found = ((name, getattr(self, name)) for name in DomainText.fields)
        values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in found}
        return DomainText(**values)


def read_lines(text: str) -> list[Line]:
    """A line without ``=`` has its text as key and None as value. Blank lines and comments are skipped; there is no
    quoting and no continuation."""
    found: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content[0] == "#":
            continue
        key, divider, value = content.partition("=")
        found.append((number, key.strip(), value.strip() if divider else None))
    return found


def is_key(text: str) -> bool:
    return text[:1].isalpha() and text == text.upper() and all(c.isalnum() or c in "_-" for c in text)


def is_true(value: str) -> bool:
    return value.lower() in TRUE_WORDS


def read_list(value: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, value.split(","))))


class StarCommand(Value):
    """``name`` is in lower case, ``words`` those after it on its line."""

    name: str
    words: tuple[str, ...] = ()


def find_commands(prompt: str, known: Container[str]) -> tuple[StarCommand, ...]:
    """Those whose names are in ``known``, in order, each name once. ``**bold**``, ``*italic*``, ``2*x`` and ``*args``
    (unless a command of that name exists) are none."""
    found: dict[str, StarCommand] = {}
    for part_start in _starts(prompt):
        name = _name_at(prompt, part_start)
        if name and name in known and name not in found:
            rest = prompt[part_start + len(name) :].partition("\n")[0]
            found[name] = StarCommand(name=name, words=tuple(rest.split()))
    return tuple(found.values())


def task_in(prompt: str, known: Container[str]) -> str:
    """Return the prompt without its star-commands and their own words: what it asks of the agent."""
    lines = []
    for line in prompt.split("\n"):
        for start in reversed(_starts(line)):
            name = _name_at(line, start)
            if name in known:
                own = OWN_WORDS.get(name, 0)
                line = " ".join((line[: start - 1], *line[start + len(name) :].split(None, own)[own:]))
        lines.append("" if line.lstrip().lower().startswith((f"/{RESERVED[0]}", f"${RESERVED[0]}")) else line)
    return "\n".join(lines)


def find_unknown_commands(prompt: str, known: Collection[str]) -> tuple[str, str] | None:
    """(What was typed, the known name that it resembles) of a command with a typing error. Only a word that opens a
    line counts, and not ``*emphasis*`` or a glob such as ``*.py`` and ``*name/``; what stands behind the first
    ``MISTYPED_WITHIN`` characters was pasted."""
    for line in prompt[:MISTYPED_WITHIN].splitlines():
        text = line.strip()
        name = _name_at(text, 1) if text[:1] == "*" else ""
        if name and name not in known and "*" not in text[1:]:
            close = [each for each in known if is_close(name, each)]
            if close:
                return name, min(close)
    return None


def is_close(typed: str, known: str, least: int = 4) -> bool:
    """One letter too many, too few, another one or two swapped; names of fewer than ``least`` are too short to tell."""
    if min(len(typed), len(known)) < least or abs(len(typed) - len(known)) > 1 or typed[0] != known[0]:
        return False
    start = 0
    while start < min(len(typed), len(known)) and typed[start] == known[start]:
        start += 1
    one, other = typed[start:], known[start:]
    return (
        one[1:] == other[1:]
        or one[1:] == other
        or one == other[1:]
        or (one[:2] == other[:2][::-1] and one[2:] == other[2:])
    )


def _starts(prompt: str) -> list[int]:
    places = []
    star = prompt.find("*")
    while star >= 0:
        if star == 0 or prompt[star - 1].isspace():
            places.append(star + 1)
        star = prompt.find("*", star + 1)
    return places


def _name_at(prompt: str, start: int) -> str:
    end = start
    while end < len(prompt) and (prompt[end].isalnum() or prompt[end] in "-_"):
        end += 1
    if end == start or not prompt[start].isalpha() or (end < len(prompt) and prompt[end] not in _AFTER_NAME):
        return ""
    return command_name(prompt[start:end])
