"""The names by which a tool call finds entries: files that they cite, identifiers in their words, practices of work
that they are wishes about. A plain file beside the index, because opening that costs a third of a hook, and most calls
touch nothing that an entry names. It only says where to look: whose an entry is, and whether it is in force, is asked
of the index."""

from __future__ import annotations

import os

from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import NAMED, project_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    Holders = dict[str, list[tuple[str, str]]]

# Bytes of the file that are written, and read.
LARGEST = 200_000
# Before a last name that stands for a file in whatever folder, and before a practice; those lines come first.
ANYWHERE, PRACTICE = "*/", "practice:"
# A name, a tab, and its entries: owner and id, divided by DIVIDER.
BETWEEN, DIVIDER = " ", ":"
# So many names are looked for one by one; of more all that the file holds are read.
FEW = 12
# Letters of the shortest identifier: "e.g" is none.
SHORTEST = 4
# What parts words of code; an opening bracket stays at the end of what is called.
_CUTS = {ord(sign): " " for sign in "!\"#$%&')*+,-/:;<=>?@[\\]^`{|}~\n\r\t"}


def names_path(shared: str) -> str:
    return os.path.join(project_cache(shared), NAMED)


def read_names(shared: str) -> str:
    text = read_text(names_path(shared), 2 * LARGEST)
    return f"\n{text}" if text else ""


def find_names(text: str, wanted: Collection[str]) -> Holders:
    """Return those of these names that entries have, in their order -> (owner, id) of each."""
    if len(wanted) > FEW:
        parts = text[1:].replace("\n", "\t").split("\t")
        known = dict(zip(parts[::2], parts[1::2], strict=False))
        return {name: _holders(known[name]) for name in wanted if name in known}
    starts = {name: text.find(f"\n{name}\t") + len(name) + 2 for name in wanted}
    return {name: _holders(text[at : text.find("\n", at)]) for name, at in starts.items() if at > len(name) + 1}


def find_practices(text: str) -> Holders:
    found: Holders = {}
    at = 1
    while text.startswith(PRACTICE, at):
        name, _, held = text[at : text.find("\n", at)].partition("\t")
        found[name.removeprefix(PRACTICE)] = _holders(held)
        at = text.find("\n", at) + 1
    return found


def spoken(text: str) -> set[str]:
    """Return the words by which names are found: dotted ones whole and in parts, calls with bracket and without."""
    words = {word.strip(".") for word in text.replace("(", "( ").translate(_CUTS).split()}
    for word in tuple(words):
        words.update(word.split("."))
    words.update(word[:-1] for word in tuple(words) if word.endswith("("))
    return words


def identifiers(text: str) -> list[str]:
    """In their order: with ``_``, a dot or a capital within, or called; only of the last the bracket stays."""
    words = {word: word.strip(".") for word in text.replace("(", "( ").translate(_CUTS).split()}
    # Nearly all words are plain ones.
    marked = (word for word in words.values() if not word[1:].isalpha() or not word[1:].islower())
    return list(dict.fromkeys(name for word in marked if (name := _identifier(word))))


def _holders(found: str) -> list[tuple[str, str]]:
    pairs = (each.partition(DIVIDER) for each in found.split(BETWEEN))
    return [(owner, key) for owner, _, key in pairs if key]


def _identifier(word: str) -> str:
    bare = word.removesuffix("(")
    parts = bare.split(".")
    if len(bare) < SHORTEST or not all(part and not part[0].isdigit() for part in parts):
        return ""
    is_camel = any(one.islower() and two.isupper() for one, two in zip(bare, bare[1:], strict=False))
    if len(parts) > 1 or "_" in bare.strip("_") or is_camel:
        return bare
    return word if word != bare else ""
