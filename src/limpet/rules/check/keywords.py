"""Checks keyword lists: entries that are no keyword, that cannot match, or that an exclusion keeps out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from limpet.rules.check.finding import ERROR, WARNING
from limpet.rules.format.key_value import read_list
from limpet.rules.format.manifest import Domain
from limpet.rules.matching import EXCLUDE, WAYS, build_index, find_matches, split_signs
from limpet.rules.naming import can_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.rules.matching import Index

# So few keywords are sentences all of which matching looks at.
GROUP = 50


def check_list(value: str) -> Iterator[tuple[str, str, str]]:
    """Yield (severity, what, hint) of each mistake in the value of a keyword list."""
    if value and any(not part.strip() for part in value.split(",")):
        yield WARNING, "empty keyword is ignored", "remove the extra comma"
    for keyword in read_list(value):
        if not can_match(keyword):
            yield ERROR, f"keyword {keyword!r} can never match", "it needs a letter or a digit"
        elif " #" in keyword:
            what = f"# after a value does not start a comment: the keyword is {keyword!r}"
            yield ERROR, what, "put the comment on a line of its own"
        elif ";" in keyword:
            yield WARNING, f"{keyword!r} is one keyword: ; does not separate keywords", "separate keywords by commas"


def check_exclusions(domains: Iterable[Domain], everywhere: Sequence[str]) -> Iterator[tuple[Domain, str, str]]:
    """Yield (domain, keyword, what) of each keyword that never brings its domain: a prompt with it is excluded."""
    called = [domain for domain in domains if domain.recall]
    # The domain, "" for every one, the way of matching, and the entry.
    entries = [("", way, entry) for way in WAYS for entry in everywhere]
    entries += [(domain.name, domain.match or WAYS[0], entry) for domain in called for entry in domain.exclude]
    index = build_index((place, EXCLUDE, entry, way) for place, (_, way, entry) in enumerate(entries))
    for domain in called:
        for keyword in _suspects(index, domain.recall):
            found = [entries[place] for place in sorted(find_matches(index, split_signs(keyword)[1])[1])]
            for name in ("", domain.name):
                said = [entry for one, way, entry in found if one == name and way == (domain.match or WAYS[0])]
                key = f"{name or 'GLOBAL'}_EXCLUDE"
                for entry in said[:1]:
                    yield domain, keyword, f"keyword {keyword!r} never activates {domain.name}: {key} has {entry!r}"


def _suspects(index: Index, keywords: Sequence[str]) -> Iterator[str]:
    """Yield the keywords in the groups, each matched as one text, in which anything is found: mostly none is."""
    for start in range(0, len(keywords), GROUP):
        group = keywords[start : start + GROUP]
        if find_matches(index, "\n".join(split_signs(keyword)[1] for keyword in group))[1]:
            yield from group
