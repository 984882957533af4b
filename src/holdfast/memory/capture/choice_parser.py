"""Parses choices in sentences: the option that is chosen, its purpose, and the options turned down.

Two sentences contradict each other where these differ for the same purpose.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.word_lists import read_words
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.cues import cue, entries, says, source

LONGEST = 400
_NUMBER = re.compile(r"^v?\d+[\w.]*$")


class Choice(Value):
    """A sentence's choice, as stems of words.

    ``chosen``: what is chosen; turned down where it is ``negative``.
    ``about``: what it is chosen for.
    ``rejected``: what is named only to have it rejected.
    ``changes``: it says that something was otherwise.
    ``adds``: it says that something comes in addition, or only may come.
    ``points``: it calls its thing "it", which was spoken of before.
    ``places``: it says where something is.
    """

    chosen: frozenset[str]
    about: frozenset[str]
    rejected: frozenset[str]
    numbers: frozenset[str]
    negative: bool
    changes: bool
    adds: bool
    points: bool
    places: bool


def read_choice(sentence: str) -> Choice:
    """Return the choice in a sentence of any of four languages; where none can be told apart, all its words are
    ``chosen``."""
    folded = _folded(sentence)
    pointing = cue("pointing").match(folded)
    folded = folded[pointing.end() :] if pointing else folded
    kept, turned = _cut(cue("contrast"), _swapped(_cut(cue("reason"), folded)[0]))
    rejected, about_rejected = _cut(cue("purpose"), turned)
    if not _stems(rejected):
        rejected, about_rejected = about_rejected, ""
    negative = cue("negative").search(kept)
    chosen, about = _cut(cue("purpose"), kept[negative.end() :] if negative else kept)
    if not _stems(chosen):
        chosen, about = f"{chosen} {about}", ""
    return Choice(
        chosen=_stems(chosen),
        about=_stems(f"{about} {about_rejected}"),
        rejected=_stems(rejected),
        numbers=frozenset(word for word in split_words(kept) if _NUMBER.match(word)),
        negative=negative is not None,
        changes=says("changes", folded),
        adds=says("adds", folded),
        points=pointing is not None,
        places=any(stem(word) in _placing() for word in split_words(chosen)),
    )


def substance(sentence: str) -> str:
    """Return the sentence without its reasons and the words that only say that something is chosen, every negation
    alike."""
    folded = _folded(sentence)
    words = split_words(cue("negative").sub(" not ", _cut(cue("reason"), folded)[0] or folded))
    return " ".join(word for word in words if word == "not" or _tells(word) or len(word) == 1)


def contradicts(new: Choice, old: Choice, related: float) -> bool:
    """Return whether both surely cannot hold at once.

    Two choices for one purpose may well stand beside each other, so it takes a word that says so, or two things of
    which only one can be had. ``related`` is the share of what they name that two sentences about the same have in
    common.
    """
    rules = (_reverses, _turns_down, _replaces, _renumbers, _moves)
    return not new.adds and any(rule(new, old, related) for rule in rules)


def at_odds(new: Choice, old: Choice) -> bool:
    """Return whether the one names what the other turns down, or another number: however alike, they do not say the
    same."""
    if new.negative != old.negative or new.rejected & old.chosen or old.rejected & new.chosen:
        return True
    return bool(new.numbers and old.numbers) and new.numbers.isdisjoint(old.numbers)


def _reverses(new: Choice, old: Choice, related: float) -> bool:
    """Return whether the one is "use it" and the other "do not use it"."""
    if new.negative == old.negative or (new.numbers and old.numbers and new.numbers.isdisjoint(old.numbers)):
        return False
    if new.changes and new.chosen and not new.about:
        return new.chosen == old.chosen
    return _alike(new.chosen, old.chosen, related) and _same(new.about, old.about, related)


def _turns_down(new: Choice, old: Choice, related: float) -> bool:
    """Return whether the new one is "this instead of that", as wide as that was."""
    if new.negative or old.negative or not new.rejected:
        return False
    if new.chosen == old.chosen and old.about:
        return old.about <= new.rejected
    covered = not old.chosen & new.chosen and bool(old.chosen) and old.chosen <= new.rejected
    return covered and (not new.about or _same(new.about, old.about, related))


def _replaces(new: Choice, old: Choice, related: float) -> bool:
    """Return whether it is "this for the purpose" after "that for the same purpose"."""
    if new.negative or old.negative or new.chosen == old.chosen:
        return False
    purpose = bool(new.about) and _same(new.about, old.about, related)
    if purpose and new.changes and not new.rejected and len(new.chosen) == len(old.chosen) == 1:
        return True
    kinds = _kinds("everywhere") + (_kinds("purpose") if purpose else ())
    return (purpose or not new.about | old.about) and any(_apart(kind, new.chosen, old.chosen) for kind in kinds)


def _renumbers(new: Choice, old: Choice, related: float) -> bool:
    """Return whether it is the same with another number."""
    if new.negative != old.negative or not new.numbers or not old.numbers or new.numbers & old.numbers:
        return False
    if new.points and new.changes and not new.about:
        return bool(new.chosen) and new.chosen == old.chosen
    return _alike(new.chosen | new.about, old.chosen | old.about, related) and _same(new.about, old.about, related)


def _moves(new: Choice, old: Choice, _related: float) -> bool:
    """Return whether it is "the same thing there instead" after "the thing here"."""
    if new.negative or old.negative or not (new.changes and new.places and old.places):
        return False
    thing = new.chosen - _placing()
    elsewhere = bool(new.about and old.about) and new.about != old.about
    return bool(thing) and thing == old.chosen - _placing() and elsewhere and new.rejected <= old.about


def _apart(kind: dict[str, str], new: frozenset[str], old: frozenset[str]) -> bool:
    """Return whether they choose two things of this kind, and nothing else that differs."""
    ours, theirs = ({kind[word] for word in words if word in kind} for words in (new, old))
    return len(ours) == len(theirs) == 1 and ours != theirs and new.difference(kind) == old.difference(kind)


@cache
def _kinds(section: str) -> tuple[dict[str, str], ...]:
    """Return stem of a name -> the thing that it names, for each kind of things of which only one can be had."""
    lines = [[names.split("/") for names in line.split()] for line in read_words("capture/alternatives.txt")[section]]
    return tuple({stem(name): names[0] for names in line for name in names} for line in lines)


def _same(a: frozenset[str], b: frozenset[str], related: float) -> bool:
    """Return whether both name the same purpose, or neither names one."""
    return not a | b or _alike(a, b, related)


def _alike(a: frozenset[str], b: frozenset[str], related: float) -> bool:
    return len(a & b) >= related * len(a | b) > 0


def _swapped(folded: str) -> str:
    """Return "from X to Y", "X by Y" and "no more X, Y" as Y instead of X."""
    found = _swap().search(folded)
    if not found:
        return folded
    old, new = found["old"] or found["dropped"], found["new"] or found["taken"]
    purpose = cue("purpose").search(new) if found["old"] else None
    place = purpose.start() if purpose else len(new)
    return f"{new[:place]} instead of {old} {new[place:]}"


@cache
def _swap() -> re.Pattern[str]:
    return re.compile(
        rf"\b{source('swaps')} (?P<old>.{{1,80}}?) {source('towards')} (?P<new>.+)"
        rf"|\b{source('drops')} (?P<dropped>[^,;]{{1,80}})[,;] (?:and )?(?P<taken>.+)"
    )


@cache
def _choosing_with() -> re.Pattern[str]:
    return re.compile(rf"\b({source('choosing-with')}) (?:with|on|com|con|sur|avec|en|em) ")


@cache
def _prefixes() -> re.Pattern[str]:
    return re.compile(rf"^{source('prefixes')}+")


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    found = pattern.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _folded(sentence: str) -> str:
    plain = fold(sentence.partition(" (asked: ")[0][:LONGEST]).replace("\u2019", "'")
    return _choosing_with().sub(r"\1 ", _prefixes().sub("", plain))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in split_words(text) if _tells(word) and not _NUMBER.match(word))


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and word not in _choosing()


@cache
def _placing() -> frozenset[str]:
    return frozenset(map(stem, " ".join(entries("places")).split()))


@cache
def _choosing() -> frozenset[str]:
    return frozenset(" ".join(entries("choosing")).split())
