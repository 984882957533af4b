"""Chooses the lines that are offered as rules: directives with keywords, the most specific first."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.rules.adoption.directives import forbids, is_directive, strength
from holdfast.rules.adoption.keywords import count_words, propose_keywords, subjects
from holdfast.rules.adoption.passages import Passage

DOMAIN = "PROJECT"
# The most words of a heading in a domain's name.
_NAME_WORDS = 2


class Offer(Value):
    """A line that can become a rule.

    ``file``, ``line``: where it stands.
    ``heading``: what it stands under.
    ``text``: the rule.
    ``domain``: the domain that it would go to.
    ``keywords``: the words that would call it.
    """

    file: str
    line: int
    heading: str
    text: str
    domain: str
    keywords: tuple[str, ...]


def find_offers(passages: Iterable[Passage], known: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return every line that can become a rule, the most specific first. ``known``: rules that there are already."""
    everything = tuple(passages)
    counts = count_words(everything)
    seen = {same_form(rule) for rule in known}
    ranked: list[tuple[float, int, Offer]] = []
    for place, passage in enumerate(everything):
        form = same_form(passage.text)
        if form in seen or not is_directive(passage.text) or (passage.crossed and not forbids(passage.text)):
            continue
        keywords = propose_keywords(passage, counts)
        if keywords:
            seen.add(form)
            offer = Offer(passage.file, passage.line, passage.heading, passage.text, _domain_of(passage), keywords)
            ranked.append((-strength(passage.text), place, offer))
    return tuple(offer for _, _, offer in sorted(ranked, key=lambda row: row[:2]))


def same_form(text: str) -> str:
    """Return what two spellings of one rule have in common: its words."""
    return " ".join(split_words(fold(text)))


def _domain_of(passage: Passage) -> str:
    words = [word.upper() for word in subjects(passage.heading) if word.isascii()][:_NAME_WORDS]
    return "_".join([DOMAIN, *words])
