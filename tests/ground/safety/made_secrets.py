"""Secrets made of the rows of the table, of characters that are drawn at run time: none is written out anywhere."""

from re import _parser
from string import ascii_letters, digits

from limpet.ground.text.word_lists import read_words

SIGNS = "-_./=+~ "
EVERY = ascii_letters + digits + SIGNS
CATEGORIES = {"CATEGORY_DIGIT": digits, "CATEGORY_WORD": ascii_letters + digits + "_", "CATEGORY_SPACE": " "}


def rows():
    """(kind, the names before the value or none, the expression) of each row."""
    for line in (line for lines in read_words("words/secrets").values() for line in lines):
        kind, hints, pattern = line.split(" | ", 2)
        is_named = pattern.startswith(">")
        yield kind, hints.split(", ") if is_named else [], pattern.lstrip("<> " if is_named else "<")


def made(pattern, random):
    """A text that the expression matches, but for what it looks ahead to."""
    return "".join(_made(_parser.parse(pattern), random))


def _made(parsed, random):
    for code, value in parsed:
        name = str(code)
        if name == "LITERAL":
            yield chr(value)
        elif name == "IN":
            yield random.choice(_letters(value))
        elif name == "BRANCH":
            yield from _made(random.choice(value[1]), random)
        elif name == "SUBPATTERN":
            yield from _made(value[-1], random)
        elif name.endswith("REPEAT"):
            least, _, inside = value
            for _ in range(least):
                yield from _made(inside, random)


def _letters(value):
    if str(value[0][0]) == "NEGATE":
        return ascii_letters
    found = ""
    for code, what in value:
        if str(code) == "RANGE":
            found += "".join(map(chr, range(what[0], what[1] + 1)))
        else:
            found += CATEGORIES[str(what)] if str(code) == "CATEGORY" else chr(what)
    return [c for c in found if c not in "\n\r\t"] or [" "]
