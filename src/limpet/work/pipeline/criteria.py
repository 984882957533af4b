"""Counts a step's score from its criteria and a document's words on each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from limpet.ground.text.escaping import clip
from limpet.ground.text.words import fold
from limpet.ground.values import Value
from limpet.work.pipeline.workflow import Criterion

SHOWN = 60
# A dot before a word, behind a blank, begins the name of a file: ".github/workflows/ci.yml".
_NUMBER = re.compile(
    r"(?:criterion\s+)?#?(\d{1,2})(?:\.|\s*(?:[):]|[-\u2013\u2014]|$)|\s+\.(?!\w)|\s+(?=\.\w))\s*(.*)", re.DOTALL
)
_DIVIDED = re.compile(r"(?:\.|\s*(?:[:(]|[-\u2013\u2014]+\s)|\s+\.(?!\w)|\s+(?=\.\w))\s*(.*)", re.DOTALL)
_DIVIDERS = re.compile(r"\.?(?:[ :()\u2013\u2014-]|\.(?!\w))*")


class Count(Value):
    """A counted score.

    ``score``: the weights of the criteria that are met, in percent of all, cut to two places: rounding up could open a
    gate.
    ``unmet``: the texts of those that are not.
    ``evidence``: what the document says of each that is met, by its number.
    ``lacking``: what the document does not say, (what, what to do) each; then the score does not count.
    """

    score: float
    total: int
    unmet: tuple[str, ...]
    evidence: tuple[tuple[int, str], ...]
    lacking: tuple[tuple[str, str], ...]


def count_score(criteria: Sequence[Criterion], met: Sequence[str], unmet: Sequence[str]) -> Count:
    """Return the score of a document that names these criteria as met and unmet.

    A step's criterion is recognised by its number in the list or by its words, and has to be named once. Where the
    step has none the document's own count, and there must be one.
    """
    if not criteria:
        return _count_own(met, unmet)
    said, strange = _said(criteria, met)
    denied, more = _said(criteria, unmet)
    lacking = [problem for place, one in enumerate(criteria) for problem in _lacking(place, one, said, denied)]
    how = f"name one of 1 to {len(criteria)}, as the form has them"
    lacking += [(f"no criterion of this step: {clip(text, SHOWN)}", how) for text in (*strange, *more)]
    reached = sum(one.weight for place, one in enumerate(criteria) if place in said and place not in denied)
    left = tuple(one.text for place, one in enumerate(criteria) if place in denied or place not in said)
    total = sum(one.weight for one in criteria)
    evidence = tuple((place + 1, said[place]) for place in sorted(said) if place not in denied)
    return Count(
        score=share_met(reached, total), total=len(criteria), unmet=left, evidence=evidence, lacking=tuple(lacking)
    )


def share_met(met: float, total: float) -> float:
    """Return the percent of ``total`` that is met, cut to two places."""
    return int(met * 10_000 / total) / 100


def _count_own(met: Sequence[str], unmet: Sequence[str]) -> Count:
    total = len(met) + len(unmet)
    if not total:
        how = "list each under ## Criteria, as `- [x] WHAT: EVIDENCE` or `- [ ] WHAT`"
        return Count(score=0.0, total=0, unmet=(), evidence=(), lacking=(("no criteria", how),))
    evidence = tuple(enumerate(met, 1))
    return Count(score=share_met(len(met), total), total=total, unmet=tuple(unmet), evidence=evidence, lacking=())


def _said(criteria: Sequence[Criterion], items: Sequence[str]) -> tuple[dict[int, str], list[str]]:
    """Return the place of each criterion that is named -> what is said of it, and the items that name none."""
    found: dict[int, str] = {}
    strange = []
    for item in items:
        known = _recognise(criteria, item)
        if known:
            found[known[0]] = _as_written(item, known[1]) or found.get(known[0], "")
        else:
            strange.append(item)
    return found, strange


def _recognise(criteria: Sequence[Criterion], item: str) -> tuple[int, str] | None:
    plain = _plain(item)
    for place, one in enumerate(criteria):
        words = _plain(one.text)
        rest = plain[len(words) :]
        if plain.startswith(words) and (divided := _DIVIDED.fullmatch(rest) if rest else None) is not None:
            return place, divided[1].strip(" ):")
        if plain == words:
            return place, ""
    numbered = _NUMBER.fullmatch(plain)
    if not numbered or not 1 <= int(numbered[1]) <= len(criteria):
        return None
    place, rest = int(numbered[1]) - 1, numbered[2]
    words = _plain(criteria[place].text)
    if rest.startswith(words):
        rest = _DIVIDERS.sub("", rest[len(words) :], count=1).rstrip(" :.()-\u2013\u2014")
    return place, rest.strip()


def _as_written(item: str, plain: str) -> str:
    """Return the end of an item that is ``plain`` once it is folded: case and signs of a path or a command matter."""
    ends = (item[place:] for place in range(len(item))) if plain else ()
    wanted = plain.lstrip(" :").rstrip(" .:")
    return next((end.strip(" *:") for end in ends if _plain(end) == wanted), plain)


def _lacking(place: int, one: Criterion, said: dict[int, str], denied: dict[int, str]) -> Iterator[tuple[str, str]]:
    number = place + 1
    if place in said and place in denied:
        yield f"criterion {number} is both met and unmet: {one.text}", "say one"
    elif place not in said and place not in denied:
        yield f"criterion {number} is not answered: {one.text}", f"`- [x] {number}: EVIDENCE`, or `- [ ] {number}`"
    elif place in said and not said[place]:
        how = f"write `- [x] {number}: EVIDENCE`: a path, a story, a check, or a command that ran"
        yield f"criterion {number} has no evidence: {one.text}", how


def _plain(text: str) -> str:
    """Return the text folded, without emphasis and quotes, blanks as one, without the final stop."""
    return " ".join(fold(text).replace("*", "").replace("`", "").split()).rstrip(" .:")
