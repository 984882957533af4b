"""The words of a command as its program reads them: options, their values, operands; and what conditions hold."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.guard.shell.command import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.guard.shell.command import ShellCommand

# Options of find that stand before its folders.
_BEFORE_OPERANDS = frozenset(("-L", "-H", "-P"))


class Given(Value):
    """``flags``: each letter of a cluster as an option of its own beside the whole.
    ``leading``: the operands before the first option.
    ``text``: all words and what the program is fed with, in lower case.
    """

    flags: frozenset[str]
    values: dict[str, tuple[str, ...]]
    operands: tuple[str, ...]
    leading: tuple[str, ...]
    text: str


def read_command_words(command: ShellCommand, with_value: str) -> Given:
    """``with_value`` names the options that take the next word as their value."""
    words, wanting = command.words[1:], frozenset(with_value.split())
    takes_letters = program(command.words[0]) in ("tar", "bsdtar", "gtar")  # also without a dash
    if takes_letters and words and words[0].isalpha():
        words = ("-" + words[0], *words[1:])
    flags: set[str] = set()
    values: dict[str, tuple[str, ...]] = {}
    operands: list[str] = []
    leading: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            flags.add("--")
            operands += words[at:]
            break
        if word[:1] != "-" or word == "-":
            operands.append(word)
            if flags <= _BEFORE_OPERANDS:
                leading.append(word)
            flags.update((word.lower(),) if word[:1] == "/" and len(word) <= 4 else ())
            continue
        name, value, takes_next = _option(word, wanting)
        flags.update(name)
        if takes_next:
            value = words[at] if at < len(words) else ""
            at += 1
        if value is not None and name:
            values[name[-1]] = (*values.get(name[-1], ()), value)
    text = " ".join((*command.words, command.fed)).lower()
    return Given(frozenset(flags), values, tuple(operands), tuple(leading), text)


def fits(words: str, operands: tuple[str, ...]) -> bool:
    """Whether operands begin with these words, each one of several that are divided by ``|``, or ``*`` for any; with
    ``!`` before them the first operand is none of them."""
    if words[:1] == "!":
        return not {*operands[:1]}.intersection(words[1:].split("|"))
    wanted = words.split()
    if len(operands) < len(wanted):
        return False
    return all(choices == "*" or each in choices.split("|") for each, choices in zip(operands, wanted, strict=False))


def holds_words(conditions: str, given: Given) -> bool:
    """Of each group of conditions one has to hold; of those with ``!`` none may be broken."""
    return all(_group(group, given) for group in conditions.split("&")) if conditions else True


def targets(spec: str, given: Given, words: str) -> list[str]:
    """The paths that a rule's target names, "." for the folder; ``words`` are the first words of the rule."""
    operands = given.operands[len(words.split()) :]
    found: list[str] = []
    for each in spec.split():
        chosen = _named(each, operands, given)
        if each == ".":
            found += () if found else (".",)
        else:
            found += chosen
    return found


def _option(word: str, wanting: frozenset[str]) -> tuple[list[str], str | None, bool]:
    name, equals, value = word.partition("=")
    if word[:2] == "--" or name in wanting or len(word) == 2:
        return [name], value if equals else None, not equals and name in wanting
    names = [word, name]
    for at, letter in enumerate(word[1:], 1):
        names.append(f"-{letter}")
        if f"-{letter}" in wanting:
            rest = word[at + 1 :].removeprefix("=")
            return names, rest or None, not rest
    return names, value if equals else None, False


def _group(group: str, given: Given) -> bool:
    tokens = group.split()
    barred = [token[1:] for token in tokens if token[0] == "!"]
    if any(_one(token, given) for token in barred):
        return False
    wanted = [token for token in tokens if token[0] != "!"]
    return not wanted or any(_one(token, given) for token in wanted)


def _one(token: str, given: Given) -> bool:
    if token[0] == "%":
        return token[1:].replace("_", " ") in given.text
    if token[0] == "^":
        return any(operand.startswith(token[1:]) for operand in given.operands)
    if token[0] == ">":
        return any(operand.startswith(token[1:]) for operand in given.operands[-1:])
    if token[-1] == "!" and token[0] == "-":
        return any(value.lower() not in ("get", "head", "options") for value in given.values.get(token[:-1], ()))
    name, equals, value = token.partition("=")
    if equals and name in given.values:
        return any(value.lower() == each.lower() for each in given.values[name])
    if token in given.flags or token in given.operands:
        return True
    # Most programs take a long option by its beginning.
    return token[:2] == "--" and any(len(flag) > 4 and token.startswith(flag) for flag in given.flags)


def _named(name: str, operands: tuple[str, ...], given: Given) -> list[str]:
    if name[0] in "-":
        return [value for value in given.values.get(name, ()) if value != "-"]
    if name == "@":
        found: list[str] = []
        for values in given.values.values():
            files = (value for value in values if (value[:1] == "@" or "=@" in value) and value[-2:] != "@-")
            found += [value.rpartition("@")[2] for value in files]
        return found
    if name[:2] == "./":
        return [name[2:]]
    if name[-1] == "=":
        return [operand.removeprefix(name) for operand in operands if operand.startswith(name)]
    chosen = {
        "all": operands,
        "all.": operands or (".",),
        "first": operands[:1],
        "rest": operands[1:],
        "rest.": operands[1:] or (".",),
        "last": operands[-1:],
        "but-last": operands[:-1],
        "leading": given.leading or (".",),
    }.get(name, ())
    return [operand for operand in chosen if operand != "-"]
