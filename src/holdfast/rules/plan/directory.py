"""What the directory says of a domain that keywords call: a few words of what it is about.

Separate from the compiler, which only puts together what others say.
"""

from __future__ import annotations

from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.families import relatives
from holdfast.ground.text.stems import stem
from holdfast.ground.text.words import fold, split_words
from holdfast.rules.matching import GAP, split_signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from holdfast.rules.format.manifest import Domain
    from holdfast.rules.plan.plan import Record

WORDS = 5
LONGEST = 30
# So many keywords of a domain are looked at: the first are those that a person thought of first.
CONSIDERED = 20


def words_of(domain: Domain, record: Record, secrets: Collection[str] = ()) -> tuple[str, ...]:
    """Return at most five words about a domain: of its keywords, or of its first rule where it has none; none that is
    very long."""
    words = list(_keyword_words(domain.recall[:CONSIDERED]))
    if not words:
        words = [word for rule in (record["authority"] + record["rules"])[:1] for word in rule.split()]
    short = [word for word in words if len(word) <= LONGEST]
    return tuple(redact(" ".join(short[:WORDS]), known=secrets).split())


def _keyword_words(keywords: Iterable[str]) -> Iterator[str]:
    """Yield the words of keywords, without those of the family of one before."""
    known = set[str]()
    for keyword in keywords:
        stems = {stem(word) for word in split_words(fold(keyword))}
        if stems and not stems <= known:
            yield from split_signs(keyword)[1].replace(GAP, " ").split()
            known.update(stems, *map(relatives, split_words(fold(keyword))))
