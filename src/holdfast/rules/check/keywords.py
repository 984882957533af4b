"""Checks keyword lists: entries that are no keyword, that cannot match, or that an exclusion keeps out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdfast.rules.check.finding import ERROR, WARNING
from holdfast.rules.format.key_value import read_list
from holdfast.rules.format.manifest import Domain
from holdfast.rules.matching import EXCLUDE, build_index, find_matches, split_signs
from holdfast.rules.naming import can_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.rules.matching import Index

WORDS = "words"


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
    shared = {way: _index(everywhere, way) for way in {domain.match or WORDS for domain in domains}}
    for domain in domains:
        way = domain.match or WORDS
        lists = [("GLOBAL_EXCLUDE", everywhere, shared[way])]
        lists += [(f"{domain.name}_EXCLUDE", domain.exclude, _index(domain.exclude, way))] if domain.recall else []
        for keyword in domain.recall:
            for key, entries, index in lists:
                found = find_matches(index, split_signs(keyword)[1])[1] if entries else {}
                for place in sorted(found)[:1]:
                    yield (
                        domain,
                        keyword,
                        f"keyword {keyword!r} never activates {domain.name}: {key} has {entries[place]!r}",
                    )


def _index(entries: Sequence[str], way: str) -> Index:
    return build_index([(place, EXCLUDE, keyword, way) for place, keyword in enumerate(entries)])
