"""Secrets without a form of their own, recognised by the text before them: ``password: x``, a URL's user, a header."""

from __future__ import annotations

import re
from functools import cache

from holdfast.ground.safety.hints import by_hint, hinted, lowered, places
from holdfast.ground.text.word_lists import read_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias


_WORDS = read_words("words/secret_words")


def _spelled(*kinds: str) -> tuple[str, ...]:
    """Return the words of these sections as they may be written: what is parted by a space, also by another sign."""
    return tuple(dict.fromkeys(w.replace(" ", sign) for kind in kinds for w in _WORDS[kind] for sign in (" ", "_", "-", "")))


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_PASSWORDS = _spelled("passwords")
# "pass" alone would meet "pass: 12 of 14"; it counts in "DB_PASS" and "pass_key".
_NAMES = (*_spelled("passwords", "names"), "_pass", "-pass")
_SAYING = _spelled("passwords", "names", "said")
_SUFFIX = r"(?:[_-]?(?:key|token|base|value|text|prod|production|dev|staging|test|live|old|new|default|\d{1,3})){0,3}"
_TYPE = r"(?::[ ]?(?:str|string|String|&str|Optional\[str\]|str \| None)[ ]?(?==))?"
_SEPARATOR = r"(?P<equals>[ \t]{0,8}(?::=|=>|->|[=:：＝])(?:\*\*)?[ \t]{0,8})(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,20})?"
# A value ends with its quote; without one at white space, at what a query or a connection string goes on with, at a
# comma before the next item, and at a mark that stands there already.
_VALUE = (
    r"(?:\\\"(?P<escaped>(?:(?!\\\")[^\n]){1,400})|\"(?P<double>(?:\\.|[^\"\\\n]){1,400})|'"
    r"(?P<single>[^'\n]{1,400})|`(?P<tick>[^`\n]{1,400})"
    r"|(?P<bare>(?:(?!\[redacted:)[^\s\"'`<>&,;\\]|(?<=[^\s,]),(?!\s|$|[\"']|[\w.-]{1,40}[:=]))+))"
)
ASSIGNED = rf"(?i:{_SUFFIX})(?![A-Za-z0-9])(?:\\?[\"'`]|\*\*)?\]?{_TYPE}{_SEPARATOR}{_VALUE}"
# What a token or a password has, and is none: "the token type is base64".
_ABOUT = r"(?!policy|length|limit|bucket|size|type|format|field|hash|expir|count|name|id\b)"
_VERBS = _either(_WORDS["verbs"])
_SAID = (
    rf"(?i:(?![A-Za-z])(?: {_ABOUT}[\w.'-]{{1,30}}){{0,4}}?(?: (?:{_VERBS})[:]? | ?[：＝] ?))"
    r"[\"'`「『]?(?P<bare>[^\s\"'`<>「」『』]+)"
)
# Chinese and Japanese have no spaces between words.
_SAID_CLOSE = rf"(?<=[^\x00-\u2fff])(?:{_VERBS}|[ \t：＝:=]){{1,4}}[\"'`「『]?(?P<bare>[!-~]{{6,}})"
_LOGIN = (
    rf"(?i:\b(?:{_either(_WORDS['logins'])})\b[^\n]{{0,30}}?(?:are|is|são|son|sont|sind|sono|są|:) )"
    r"[\w.@+-]{1,60} ?[/:] ?(?P<bare>[^\s\"'`<>]+)"
)
# admin / Zx8kQ2!v
_SLASHED = r"(?<=[\w.@+-]{2}) / (?P<bare>[!-~]{8,64})(?=[\s,;]|$)"
_CARD = (
    r"(?<![\w.+-])(?<!\d[ -])(?P<card>[2-6]\d{3}(?P<gap>[ -]?)(?:\d{4}(?P=gap)\d{4}(?P=gap)\d{4}|\d{6}(?P=gap)\d{5}))"
    r"(?![\w-]|[ .]\d)"
)
# define('DB_PASSWORD', 'x'), setProperty("password", "x")
_ARGUMENT = (
    r"[\"'][\w.-]{0,40}(?i:password|passwd|passphrase|secret|token|api[_-]?key)(?i:[_-]?(?:key|value|base))?[\"']"
    r"[ \t]{0,4},[ \t]{0,4}[\"'](?P<double>[^\s\"'\n]{6,400})[\"']"
)
_QUOTED = (
    r"(?![A-Za-z])(?: |[ \t]{0,20}\|[ \t]{0,20})(?=[\"'`|]|(?<=\| ))(?:(?<=\| )(?P<bare>[^\s|\"'`<>]{6,})|[\"'`]"
    r"(?P<double>[^\s\"'`<>]{6,}))"
)
_IDENTIFIED = r"(?i:\bidentified (?:with \w{1,40} )?by )[\"'](?P<double>[^\"'\n]{1,400})"
_ENVIRONMENT = (
    r"\b(?:ENV|setenv|setx|set -g?x|set -U?x)[ \t]{1,4}(?i:\w{0,60}?(?:password|passwd|secret|token|api_?key)\w{0,20})"
    r"[ \t]{1,4}[\"']?(?P<bare>[^\s\"'`<>=]+)"
)
_COMMAND = (
    r"\b(?:sshpass -p ?|htpasswd -\w{1,6} \S{1,200} \S{1,80} |openssl [^\n|;]{0,200}?-pass(?:in|out)? pass:"
    r"|redis-cli [^\n|;]{0,80}?-a |mysql(?:dump)? (?:[^\n|;]{0,80}? )?-p)[\"']?"
    r"(?P<bare>[^\s\"'`<>|;]+)"
)
_COOKIE = r"(?i:\b(?:set-)?cookie[\"']?: ?[\"']?)(?P<bare>[^\n\"'\\]{1,4000})"
_FLAG = (
    r"(?<=\s)--(?:password|passwd|pass|token|api-?key|secret|client-secret|access-key|auth-token|secret-key)"
    r"[ \t]{1,4}[\"']?(?P<bare>[^\s\"'`<>]+)"
)
_ELEMENT = r"<(?:[\w.-]{0,40}:)?[\w.-]{0,40}(?i:password|secret|token|api-?key)>(?P<double>[^<\s]{1,400})</"
_ATTRIBUTE = (
    r"(?i:(?:key|name)=\"[\w.:-]{0,40}(?:password|secret|token|api-?key)\"\s{1,4}value)=\"(?P<double>[^\"\n]{1,400})"
)
_LISTED = (
    r"\bname:[ \t]{1,4}[\"']?[\w-]{0,60}(?i:PASSWORD|SECRET|TOKEN|API_?KEY)[\w-]{0,20}[\"']?[ \t]{0,4}\n"
    r"[ \t]{0,40}value:[ \t]{1,4}(?:\"(?P<double>[^\"\n]{1,400})|'(?P<single>[^'\n]{1,400})|(?P<bare>[^\s\"'#]+))"
)
_URL = (
    r"://[^\s/:@\"'<>\[]{0,200}+:(?P<url>(?!\[redacted:)[^\s/\"'<>`]{1,400}(?=@[\w.\[-])|[^\s/@\"'<>`\[]{1,400}+(?=@))"
)
_URL_USER = r"(?<=://)(?P<bare>[A-Za-z0-9_.~-]{20,400}+)(?=@)"
_BEARER = r"(?i:\b(?:bearer|authorization[\"']?: ?token) )(?P<bare>[A-Za-z0-9._~+/-]{16,}+={0,2})"
_BASIC = r"(?i:\bbasic )(?P<basic>[A-Za-z0-9+/]{8,}+={0,2})"
_CURL = r"(?:\b(?:curl|wget|http)\b[^\n]{0,200}?[ \t](?:-u|--user)[ =][\"']?)[^\s:\"']{1,80}:(?P<url>[^\s\"']{1,200})"

_PLACEHOLDER = re.compile(
    r"(?i:\[redacted|<|\$\{|\$\(|\$[A-Z_]|\{\{|\{%|\{[A-Z_(]|%[A-Z_(]|#\{|\*{3}|x{4,}|\.{3}|…|!"
    r"|ENC\[|op://|vault:|arn:|@)"
    r"|(?i:(?:your|my|the|an?|some|insert|enter|put|replace|change|todo|fixme|example|sample|dummy|fake|placeholder"
    r"|redacted|masked|hidden|undefined)(?:[_ -]|$|me\b))"
    r"|(?:~|\.{1,2})?/[\w.-]+/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,10}://[^@]*$"
)
_PLAIN_URL_PASSWORDS = frozenset(("password", "passwd", "pass", "pwd", "secret", "token", "x-oauth-basic", "pw"))
_CODE = re.compile(
    r"(?:[rbuf]|await |new )?[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+[()\],;}]*$"
)
_WORDS_OF_CODE = re.compile(
    r"(?i:none|null|nil|true|false|self|args|kwargs|params?|request|response|str|string|bytes|text)\b"
)
# What is named as the secrets are: "new_password", "accessToken", "api-key-field". "supersecret" is not.
_NAME_LIKE = re.compile(
    r"(?i:(?:^|[_.-])(?:pass|secret|token|key|pwd|cred|value|name|field|string|optional|require|auth|input|change))"
    r"|[a-z](?:Pass|Secret|Token|Key|Cred|Value|Name|Field|Input)"
)


def find_assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the value of each thing that is named as a secret begins and ends, and its kind."""
    low = lowered(text)
    for number in hinted(_HINTED, low):
        kind, _, pattern, judge = _ROWS[number]
        for found in _compiled(pattern).finditer(text):
            yield from _judged(found, "", kind, judge)
    for name in (each for each in _SAYING + _NAMES[-2:] if each in low):
        for at in places(low, name):
            for pattern, judge in _BESIDE:
                found = _compiled(pattern).match(text, at)
                if found and (name in _NAMES or judge is not _judge_assigned):
                    yield from _judged(found, name, "assigned-secret", judge)


def _judged(found: re.Match[str], name: str, kind: str, judge: _Judge) -> Iterator[tuple[int, int, str]]:
    group = str(found.lastgroup)
    kept = judge(found, found[group], name)
    if kept != _ALL:
        yield found.start(group), found.end(group) - kept, kind


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# English has hardly a word so long: "password: required" says what is to be, "password: supersecretvalue" what is.
_NO_WORD = 14

# A judge says how many characters at the value's end are none of it (a full stop, a bracket), or that it is no secret.
_ALL = -1


def _judge_assigned(found: re.Match[str], value: str, name: str) -> int:
    if found.lastgroup != "bare":
        return 0 if _is_quoted_secret(name, value) else _ALL
    secret = value.rstrip(").]}:?*|")
    end = found.start("bare") + len(secret)
    if _is_trivial(secret) or not _is_bare_secret(found, name, secret, found.string[end : end + 1]):
        return _ALL
    return len(value) - len(secret)


def _is_quoted_secret(name: str, value: str) -> bool:
    if _is_trivial(value) or any(c.isspace() for c in value) and name.lower() != "passphrase":
        return False
    mixed = _is_mixed(value)
    if len(value) < 8:
        return len(value) >= 6 and mixed and _is_password(name)
    if _is_phrase(value):
        return _is_password(name)
    return mixed or not (_NAME_LIKE.search(value) or _CODE.match(value) or value.istitle())


def _is_bare_secret(found: re.Match[str], name: str, value: str, after: str) -> bool:
    mixed, tight = _is_mixed(value), found.group("equals") == "="
    if _WORDS_OF_CODE.match(value) and not mixed:
        return False
    if _CODE.match(value) and not (
        mixed and tight and "(" not in value and "[" not in value and after not in (")", ",")
    ):
        return False
    if mixed:
        return len(value) >= (6 if _is_password(name) else 8) and not (after and after in "([")
    if len(value) < 8 or value.isupper() or _NAME_LIKE.search(value):
        return False
    if _is_phrase(value):
        return _is_password(name) and after in ("", "\n", "\r", " ")
    if tight:
        start = found.start()
        return found.string[start - len(name) : start].isupper() or not (after and after in "(),.[]}:;")
    return len(value) >= _NO_WORD and value.isalpha() and after in ("", "\n", "\r")


def _judge_said(found: re.Match[str], value: str, name: str) -> int:
    secret = value.rstrip(".,;:!?)]}")
    worth = len(secret) >= 6 and _is_mixed(secret) and not _is_trivial(secret) and not _CODE.match(secret)
    worth = worth and not _TECHNICAL.fullmatch(secret) or _is_password(name) and _is_phrase(secret)
    return len(value) - len(secret) if worth else _ALL


def _judge_slashed(found: re.Match[str], value: str, name: str) -> int:
    if _is_trivial(value):
        return _ALL
    kinds = (str.isupper, str.islower, str.isdigit, "!@#$%^&*?+=~".__contains__)
    return 0 if all(any(map(kind, value)) for kind in kinds) and not set("()[]{}/<>") & set(value) else _ALL


def _judge_card(found: re.Match[str], value: str, name: str) -> int:
    digits = [int(c) for c in value if c.isdigit()]
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    is_known = _ISSUERS.match(value) and (len(digits) == 15) == (value[0] == "3" and value[1] in "47")
    near = found["gap"] or _CARDS.search(found.string, max(0, found.start() - 40), found.start())
    return 0 if is_known and near and total % 10 == 0 and len(set(digits)) > 3 else _ALL


def _judge_given(found: re.Match[str], value: str, name: str) -> int:
    return _ALL if len(value) < 6 or _is_trivial(value) or value.isupper() and value.isalpha() else 0


def _judge_cookie(found: re.Match[str], value: str, name: str) -> int:
    return 0 if "=" in value and len(value) >= 16 and _is_mixed(value) and not _is_trivial(value) else _ALL


def _judge_url(found: re.Match[str], value: str, name: str) -> int:
    return _ALL if value.lower() in _PLAIN_URL_PASSWORDS or value.isdigit() or _is_trivial(value) else 0


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
    return len(set(value)) < 4 or bool(_PLACEHOLDER.match(value))


def _is_mixed(value: str) -> bool:
    """Letters with digits or with signs that no name has."""
    letters = any(c.isalpha() for c in value)
    return letters and any(c.isdigit() or c in "!@#$%^*+=?~|{}/" for c in value) and not _VERSION.fullmatch(value)


def _is_password(name: str) -> bool:
    return name in _PASSWORDS or name[1:] == "pass"


def _is_phrase(value: str) -> bool:
    """Words with signs between them, of which none is one that sentences need."""
    return bool(_PHRASE.fullmatch(value)) and _SENTENCE.isdisjoint(re.split("[-_.]", value.lower()))


_PHRASE = re.compile(r"[A-Za-z]{3,10}(?:[-_.][A-Za-z]{2,10}){2,7}(?:[-_.]?\d{1,4})?")
_SENTENCE = frozenset(
    "the your must not with for from and are has can was new old too reset change forgot enter your confirm user name"
    " password secret token key auth value field input string required optional invalid file path test text login com"
    " org net example local config settings env min max length error message label hint form page button data type".split()
)
# Visa, Mastercard, American Express, Discover, JCB, UnionPay.
_ISSUERS = re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2)|35(?:2[89]|[3-8])")
_CARDS = re.compile(r"(?i:card|visa|amex|mastercard|cart[ãa]o|tarjeta|carte|karte|carta|карт|カード|卡|karta)")
# What names a format or a method has a number too.
_TECHNICAL = re.compile(
    r"(?i)(?:base|sha|utf|md|http|oauth|argon|[ehrp]s|aes|x|ed|ipv|rfc|iso|tls|uuid|int|scrypt|pbkdf|bcrypt)-?\d{1,5}"
    r"[a-z]{0,3}(?:-\w{1,8})?|/?[\w.-]{1,60}/[\w./-]{1,200}|\d{4}-\d\d-\d\d\w*"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]?\d?|[a-z]+/[a-z]+|[A-Za-z]+\|[A-Za-z|]+|\d+[a-z]{1,4}")
_Judge = "Callable[[re.Match[str], str, str], int]"
_BESIDE: tuple[tuple[str, _Judge], ...] = (
    (ASSIGNED, _judge_assigned),
    (_SAID, _judge_said),
    (_SAID_CLOSE, _judge_said),
    (_QUOTED, _judge_said),
)
_ROWS: tuple[tuple[str, tuple[str, ...], str, _Judge], ...] = (
    ("url-password", ("://",), _URL, _judge_url),
    ("url-user", ("://",), _URL_USER, _judge_mixed),
    ("bearer", ("bearer ", "token "), _BEARER, _judge_mixed),
    ("basic-auth", ("basic ",), _BASIC, _judge_basic),
    ("basic-auth", ("-u", "--user"), _CURL, _judge_url),
    ("assigned-secret", ("value",), _LISTED, _judge_given),
    ("assigned-secret", ("</",), _ELEMENT, _judge_given),
    ("assigned-secret", ("value=",), _ATTRIBUTE, _judge_given),
    ("assigned-secret", ("--",), _FLAG, _judge_said),
    ("assigned-secret", ("identified ",), _IDENTIFIED, _judge_given),
    ("assigned-secret", ("env", "set"), _ENVIRONMENT, _judge_given),
    ("assigned-secret", ("sshpass -p", "redis-cli ", "mysql", "openssl ", "htpasswd "), _COMMAND, _judge_mixed),
    ("assigned-secret", tuple(_WORDS["logins"]), _LOGIN, _judge_said),
    ("assigned-secret", (" / ",), _SLASHED, _judge_slashed),
    ("card-number", tuple("23456"), _CARD, _judge_card),
    ("assigned-secret", ("pass", "secret", "token", "key"), _ARGUMENT, _judge_said),
    ("cookie", ("cookie",), _COOKIE, _judge_cookie),
)
_HINTED = by_hint((hints, number) for number, (_, hints, _, _) in enumerate(_ROWS))
