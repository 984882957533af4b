"""Secrets without a form of their own, recognised by the text before them: ``password: x``, a URL's user, a header."""

from __future__ import annotations

import re
from itertools import chain
from math import log2

from limpet.ground.safety.hints import by_hint, hinted, longest_word, lowered
from limpet.ground.safety.patterns import compiled, later
from limpet.ground.text.word_lists import read_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    _Judge = Callable[[re.Match[str], str, str], int]

_WORDS, _PLACES = read_words("words/secret_words"), read_words("words/secret_places")
_PLACEHOLDER, _CODE, _NAME_LIKE, _TECHNICAL, _VERSION = (
    later("|".join(_PLACES[name])) for name in ("placeholder", "code", "name", "technical", "version")
)
_PLAIN_URL_PASSWORDS = frozenset(("password", "passwd", "pass", "pwd", "secret", "token", "x-oauth-basic", "pw"))
_WORDS_OF_CODE = later(
    r"(?i:none|null|nil|true|false|self|args|kwargs|params?|request|response|str|string|bytes|text)\b"
)
# English has hardly a word so long: "password: required" says what is to be, "password: supersecretvalue" what is.
_NO_WORD = 14
# Letters of a value that is told from a name by its change of case.
_DRAWN = 10
# Characters behind a name that are looked at.
_REACH = 2_200
# Where so many of them are as they were elsewhere, so is what is found: nothing.
_ALIKE = 192
# How many occurrences of a name in one run of signs are looked at, and how near its end are the others.
_FIRST, _LAST = 24, 64
_BREAK = later(r"[\s\"'`<>]")
# A judge says how many characters at the value's end are none of it (a full stop, a bracket), or that it is no secret.
_ALL = -1
_LETTER, _SIGN, _FEW = later(r"[^\W\d_]"), later(r"[\d!@#$%^*+=?~|{}/]"), 32
_PHRASE = later(r"[A-Za-z]{3,10}(?:[-_.][A-Za-z]{2,10}){2,7}(?:[-_.]?\d{1,4})?")
_SENTENCE = frozenset(" ".join(_WORDS["sentence"]).split())
# Visa, Mastercard, American Express, Discover, JCB, UnionPay.
_ISSUERS = later(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2)|35(?:2[89]|[3-8])")
_CARDS = later(r"(?i:card|visa|amex|mastercard|cart[ãa]o|tarjeta|carte|karte|carta|карт|カード|卡|karta)")
# Characters of a token that may be random.
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
_PUBLIC = "|".join(_PLACES["public"])
_TOKEN = r"(?:(?<![A-Za-z0-9+/_\\-])|(?<=\\[nrt]))(?P<token>[A-Za-z0-9+/_-]{20,}+)={0,2}"
# A bundler puts a digest into the names of what it writes: index-BXh1PqQ4.js.
_ASSET = r"(?P<asset>\.(?:[cm]?js|css|map|wasm|svg|png|jpe?g|webp|avif|woff2?|ttf)\b)?"
_RUN = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
# A digest, a commit or a UUID, by itself or as a part of a path or an id.
_DIGEST = (
    r"(?i:(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|I?[0-9a-f]{40}|[0-9a-f]{7,})"
    r"(?![A-Za-z0-9]))"
)


def _spelled(*kinds: str) -> tuple[str, ...]:
    spelled: dict[str, None] = {}
    for word in chain.from_iterable(_WORDS[kind] for kind in kinds):
        spelled[word] = None
        if " " in word:
            spelled |= dict.fromkeys((word.replace(" ", "_"), word.replace(" ", "-"), word.replace(" ", "")))
    return tuple(spelled)


_PASSWORDS = _spelled("passwords")
# "pass" alone would meet "pass: 12 of 14"; it counts in "DB_PASS" and "pass_key".
_NAMES = (*_spelled("passwords", "names"), "_pass", "-pass")
_SPELLED = (*_spelled("passwords", "names", "said"), "_pass", "-pass")
_SPELLED_BY_END = by_hint([((re.split("[ _-]", name)[-1],), number) for number, name in enumerate(_SPELLED)])


def find_assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """(Begin, end, kind) of the value of each thing that is named as a secret."""
    low = lowered(text)
    for number in hinted(_HINTED, low):
        kind, _, judge, pattern = _ROWS[number]
        for found in compiled(pattern).finditer(text):
            yield from _judged(found, "", kind, judge)
    barren: set[int] = set()
    for name in (_SPELLED[number] for number in hinted(_SPELLED_BY_END, low) if _SPELLED[number] in low):
        for at in _spread(text, low, name):
            around = hash((name, text[max(0, at - len(name) - 1) : at + _ALIKE]))
            if around in barren:
                continue
            is_barren = at + _ALIKE <= len(text)
            for judge, pattern in _BESIDE:
                beside = compiled(pattern).match(text, at, at + _REACH)
                if beside and (name in _NAMES or judge is not _judge_assigned):
                    for one in _judged(beside, name, "assigned-secret", judge):
                        is_barren = False
                        yield one
            if is_barren:
                barren.add(around)


def _spread(text: str, low: str, name: str) -> Iterator[int]:
    """Where each occurrence of a name ends; of many in one run of signs the first and those at its end, since the value
    of each goes on to the run's end."""
    at, stop, count = low.find(name), 0, 0
    while at >= 0:
        at += len(name)
        if at > stop:
            stop, count = _end_of_run(text, at), 0
        count += 1
        yield at
        near_end = stop - _LAST if count >= _FIRST else 0
        at = low.find(name, max(at, near_end))


def _end_of_run(text: str, at: int) -> int:
    found = _BREAK().search(text, at)
    return found.start() if found else len(text)


def _judged(found: re.Match[str], name: str, kind: str, judge: _Judge) -> Iterator[tuple[int, int, str]]:
    group = str(found.lastgroup)
    kept = judge(found, found[group], name)
    if kept == _ALL:
        return
    end, text = found.end(group), found.string
    is_cut = end == found.endpos < len(text)
    yield found.start(group), _end_of_run(text, end) if is_cut else end - kept, kind


def _judge_assigned(found: re.Match[str], value: str, name: str) -> int:
    if found.lastgroup != "bare":
        return 0 if _is_quoted_secret(name, value) else _ALL
    if found["equals"][:1].isspace() and found["equals"].endswith(":"):  # ``password :placeholder="x"``
        return _ALL
    secret = value.rstrip(").]}:?*|")
    end = found.start("bare") + len(secret)
    if _is_trivial(secret) or not _is_bare_secret(found, name, secret, found.string[end : end + 1]):
        return _ALL
    return len(value) - len(secret)


def _is_quoted_secret(name: str, value: str) -> bool:
    if _is_trivial(value) or any(c.isspace() for c in value) and name.lower() != "passphrase":
        return False
    mixed = _is_mixed(value)
    if not (mixed or value.isascii()):  # a sentence of a language that has no blanks
        return False
    if len(value) < 8:
        return len(value) >= 6 and mixed and _is_password(name)
    if _is_phrase(value):
        return _is_password(name)
    return mixed or not (_NAME_LIKE().search(value) or _CODE().match(value) or value.istitle())


def _is_bare_secret(found: re.Match[str], name: str, value: str, after: str) -> bool:
    mixed, tight = _is_mixed(value), found.group("equals") == "="
    if _WORDS_OF_CODE().match(value) and not mixed:
        return False
    if _CODE().match(value) and not (
        mixed and tight and "(" not in value and "[" not in value and after not in (")", ",")
    ):
        return False
    if mixed:
        return len(value) >= (6 if _is_password(name) else 8) and not (after and after in "([")
    if len(value) < 8 or value.isupper() or _NAME_LIKE().search(value):
        return False
    if _is_drawn(value) and _is_password(name) and after not in (".", "("):
        return True
    if _is_phrase(value):
        return _is_password(name) and after in ("", "\n", "\r", " ")
    if tight:
        start = found.start()
        return found.string[start - len(name) : start].isupper() or not (after and after in "(),.[]}:;")
    return len(value) >= _NO_WORD and value.isalpha() and after in ("", "\n", "\r")


def _judge_said(found: re.Match[str], value: str, name: str) -> int:
    secret = value.rstrip(".,;:!?)]}")
    worth = (
        len(secret) >= 6
        and (_is_mixed(secret) or _is_drawn(secret))
        and not _is_trivial(secret)
        and not _CODE().match(secret)
    )
    worth = worth and not _TECHNICAL().fullmatch(secret) or _is_password(name) and _is_phrase(secret)
    return len(value) - len(secret) if worth else _ALL


def _judge_slashed(found: re.Match[str], value: str, name: str) -> int:
    if _is_trivial(value):
        return _ALL
    kinds = (str.isupper, str.islower, str.isdigit, "!@#$%^&*?+=~".__contains__)
    return 0 if all(any(map(kind, value)) for kind in kinds) and not set("()[]{}/<>") & set(value) else _ALL


def _judge_card(found: re.Match[str], value: str, name: str) -> int:
    digits = [int(c) for c in value if c.isdigit()]
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    is_known = _ISSUERS().match(value) and (len(digits) == 15) == (value[0] == "3" and value[1] in "47")
    near = found["gap"] or _CARDS().search(found.string, max(0, found.start() - 40), found.start())
    return 0 if is_known and near and total % 10 == 0 and len(set(digits)) > 3 else _ALL


def _judge_given(found: re.Match[str], value: str, name: str) -> int:
    return _ALL if len(value) < 6 or _is_trivial(value) or value.isupper() and value.isalpha() else 0


def _judge_quoted(found: re.Match[str], value: str, name: str) -> int:
    return 0 if _is_quoted_secret("password", value) else _ALL


def _judge_cookie(found: re.Match[str], value: str, name: str) -> int:
    return 0 if "=" in value and len(value) >= 16 and _is_mixed(value) and not _is_trivial(value) else _ALL


def _judge_url(found: re.Match[str], value: str, name: str) -> int:
    is_name = _NAME_LIKE().search(value) and not _is_mixed(value)
    return _ALL if value.lower() in _PLAIN_URL_PASSWORDS or value.isdigit() or is_name or _is_trivial(value) else 0


def _judge_mixed(found: re.Match[str], value: str, name: str) -> int:
    return 0 if any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not _is_trivial(value) else _ALL


def _judge_basic(found: re.Match[str], value: str, name: str) -> int:
    from base64 import b64decode

    try:
        said = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return _ALL
    return 0 if ":" in said and said.isprintable() else _ALL


def _is_trivial(value: str) -> bool:
    return len(set(value[:_FEW])) < 4 and len(set(value)) < 4 or bool(_PLACEHOLDER().match(value))


def _is_mixed(value: str) -> bool:
    return bool(_LETTER().search(value) and _SIGN().search(value)) and not _VERSION().fullmatch(value)


def _is_drawn(value: str) -> bool:
    """Letters alone that change their case as no name does."""
    return (
        len(value) >= _DRAWN and value.isalpha() and value.isascii() and _has_both_cases(value) and looks_drawn(value)
    )


def _is_password(name: str) -> bool:
    return name in _PASSWORDS or name[1:] == "pass"


def _is_phrase(value: str) -> bool:
    return bool(_PHRASE().fullmatch(value)) and _SENTENCE.isdisjoint(re.split("[-_.]", value.lower()))


_JUDGES: dict[str, _Judge] = {
    "assigned": _judge_assigned,
    "said": _judge_said,
    "slashed": _judge_slashed,
    "card": _judge_card,
    "given": _judge_given,
    "quoted": _judge_quoted,
    "cookie": _judge_cookie,
    "url": _judge_url,
    "mixed": _judge_mixed,
    "basic": _judge_basic,
}


def _row(line: str, judged: int) -> list[str]:
    for name in ("verbs", "logins"):
        line = line.replace(f"<{name}>", "|".join(map(re.escape, sorted(_WORDS[name], key=len, reverse=True))))
    return line.split(" | ", judged + 1)


def _place(line: str) -> tuple[str, tuple[str, ...], _Judge, str]:
    kind, hints, judge, pattern = _row(line, 2)
    return kind, tuple(hints.split(", ")), _JUDGES[judge], pattern


def _beside(line: str) -> tuple[_Judge, str]:
    judge, pattern = _row(line, 0)
    return _JUDGES[judge], pattern


_ROWS = tuple(map(_place, _PLACES["places"]))
_BESIDE = tuple(map(_beside, _PLACES["beside"]))
_HINTED = by_hint([(hints, number) for number, (_, hints, _, _) in enumerate(_ROWS)])


def find_random(text: str) -> Iterator[tuple[int, int, str]]:
    if longest_word(text) >= SHORTEST and any(map(_may_be_random, compiled(_TOKEN, re.ASCII).finditer(text))):
        for found in compiled(f"{_PUBLIC}|{_TOKEN}{_ASSET}", re.ASCII).finditer(text):
            if found["token"] and not found["asset"] and is_random(found["token"]):
                yield *found.span(), "high-entropy"


def is_random(token: str) -> bool:
    if not SHORTEST <= len(token) <= LONGEST:
        return False
    token = compiled(_DIGEST, re.ASCII).sub("", token)
    if len(token) < SHORTEST or not _has_classes(token):
        return False
    return looks_drawn(token) and entropy(token) >= BITS[SHORTEST_LOWER if len(token) >= SHORTEST_LOWER else SHORTEST]


def looks_drawn(token: str) -> bool:
    """Letters and digits change too often for a name."""
    runs = compiled(_RUN, re.ASCII).findall(token)
    longest = LONGEST_RUN if _has_both_cases(token) else LONGEST_RUN_OF_ONE_CASE
    return sum(map(len, runs)) <= longest * len(runs)


def entropy(text: str) -> float:
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
