"""Secrets of unknown form: tokens too random to be names, told from digests and ids."""

from __future__ import annotations

import re
from math import log2

from limpet.ground.safety.hints import longest_word
from limpet.ground.safety.patterns import compiled
from limpet.ground.text.word_lists import read_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST = 20
# Longer runs are blobs: images, fonts, source maps. A secret of that length has a name or a form.
LONGEST = 200
# Without capitals only long tokens are told from slugs and ids.
SHORTEST_LOWER = 32
# Bits a character: random base62 has 4.06 at 20 characters and 4.55 at 32 (deviation 0.12); names have 3.2 to 3.9.
BITS = {20: 3.6, 32: 4.0}
# Characters between two changes of case or kind: random base62 has 1.8, names have 4 and more; of one case base36
# has 2.4 and base32 3.2 when random.
LONGEST_RUN = 2.6
LONGEST_RUN_OF_ONE_CASE = 3.8

# What is public though it looks random is passed over whole.
_PUBLIC = "|".join(read_words("words/secret_places")["public"])
_TOKEN = r"(?:(?<![A-Za-z0-9+/_\\-])|(?<=\\[nrt]))(?P<token>[A-Za-z0-9+/_-]{20,}+)={0,2}"
# A bundler puts a digest into the names of what it writes: index-BXh1PqQ4.js.
_ASSET = r"(?P<asset>\.(?:[cm]?js|css|map|wasm|svg|png|jpe?g|webp|avif|woff2?|ttf)\b)?"
_RUN = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
# A digest, a commit or a UUID, by itself or as a part of a path or an id.
_DIGEST = (
    r"(?i:(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|I?[0-9a-f]{40}|[0-9a-f]{7,})"
    r"(?![A-Za-z0-9]))"
)


def find_random(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each random token begins and ends, and the kind."""
    if longest_word(text) >= SHORTEST and any(map(_may_be_random, compiled(_TOKEN, re.ASCII).finditer(text))):
        for found in compiled(f"{_PUBLIC}|{_TOKEN}{_ASSET}", re.ASCII).finditer(text):
            if found["token"] and not found["asset"] and is_random(found["token"]):
                yield *found.span(), "high-entropy"


def is_random(token: str) -> bool:
    """Return whether a token (letters, digits, ``+/_-``) of at least SHORTEST characters looks random, not named."""
    if not SHORTEST <= len(token) <= LONGEST:
        return False
    token = compiled(_DIGEST, re.ASCII).sub("", token)
    if len(token) < SHORTEST or not _has_classes(token):
        return False
    return looks_drawn(token) and entropy(token) >= BITS[SHORTEST_LOWER if len(token) >= SHORTEST_LOWER else SHORTEST]


def looks_drawn(token: str) -> bool:
    """Return whether its letters and digits change too often for a name."""
    runs = compiled(_RUN, re.ASCII).findall(token)
    longest = LONGEST_RUN if _has_both_cases(token) else LONGEST_RUN_OF_ONE_CASE
    return sum(map(len, runs)) <= longest * len(runs)


def entropy(text: str) -> float:
    """Return Shannon's entropy of the text's characters, in bits a character."""
    shares = (text.count(each) / len(text) for each in set(text))
    return -sum(share * log2(share) for share in shares)


def _may_be_random(found: re.Match[str]) -> bool:
    return len(found["token"]) > LONGEST or is_random(found["token"])


def _has_classes(token: str) -> bool:
    digits = sum(c.isdigit() for c in token)
    if _has_both_cases(token):
        return digits >= 1
    longest = max(compiled(r"[A-Za-z0-9]+", re.ASCII).findall(token), key=len, default="")
    return len(longest) >= SHORTEST_LOWER and digits * 10 >= len(longest)


def _has_both_cases(token: str) -> bool:
    return any(c.islower() for c in token) and any(c.isupper() for c in token)
