"""Secrets without a form of their own, recognised by the text before them: ``password: x``, a URL's user, a header."""

from __future__ import annotations

import re
from functools import cache

from holdfast.ground.safety.hints import by_hint, hinted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Folded too, as many type them. "pass" alone would meet "pass: 12 of 14"; it counts in "DB_PASS" and "pass_key".
_NAMES = (
    r"pass[_-]?word|passwd|passphrase|(?<=[_-])pass|pwd|secret|token|credential|api[_-]?key|app[_-]?key|account[_-]?key"
    r"|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|deploy[_-]?key"
    r"|senha|palavra[_ -]passe|contrase[nñ]a|mot[_ -]de[_ -]passe|passwort|kennwort"
)
_SUFFIX = r"(?:[_-]?(?:key|token|base|value|text|prod|production|dev|staging|test|live|old|new|default|\d{1,3})){0,3}"
_TYPE = r"(?::[ ]?(?:str|string|String|&str|Optional\[str\]|str \| None)[ ]?(?==))?"
_SEPARATOR = r"(?P<equals>[ \t]{0,8}(?::=|=>|->|=|:)(?:\*\*)?[ \t]{0,8})(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,20})?"
# A value ends with its quote; without one at white space, at what a query or a connection string goes on with, at a
# comma before the next item, and at a mark that stands there already.
_VALUE = (
    r"(?:\\\"(?P<escaped>(?:(?!\\\")[^\n]){1,400})|\"(?P<double>(?:\\.|[^\"\\\n]){1,400})|'"
    r"(?P<single>[^'\n]{1,400})|`(?P<tick>[^`\n]{1,400})"
    r"|(?P<bare>(?:(?!\[redacted:)[^\s\"'`<>&,;\\]|(?<=[^\s,]),(?!\s|$|[\"']|[\w.-]{1,40}[:=]))+))"
)
ASSIGNED = (
    rf"(?i:(?P<name>{_NAMES})(?P<suffix>{_SUFFIX}))(?![A-Za-z0-9])(?:\\?[\"'`]|\*\*)?\]?{_TYPE}{_SEPARATOR}{_VALUE}"
)
_SAYING = (
    r"password|passphrase|passcode|secret|token|api[ _-]key|senha|palavra[- ]passe|contraseña|clave|chave|mot de passe"
    r"|clé|jeton|passwort|kennwort|(?:api-?)?schlüssel"
)
# What a token or a password has, and is none: "the token type is base64".
_ABOUT = r"(?!policy|length|limit|bucket|size|type|format|field|hash|expir|count|name|id\b)"
_SAID = (
    rf"(?i:\b(?:{_SAYING})\b(?: {_ABOUT}[\w.'-]{{1,30}}){{0,4}}? (?:is|was|é|es|est|era|è|ist|lautet|war|to)[:]? )"
    r"[\"'`]?(?P<bare>[^\s\"'`<>]+)"
)
_LOGIN = (
    r"(?i:\b(?:credentials|credenciais|credenciales|identifiants|zugangsdaten)\b[^\n]{0,30}?"
    r"(?:are|is|são|son|sont|sind|:) )[\w.@-]{1,60} ?[/:] ?(?P<bare>[^\s\"'`<>]+)"
)
# define('DB_PASSWORD', 'x'), setProperty("password", "x")
_ARGUMENT = (
    r"[\"'][\w.-]{0,40}(?i:password|passwd|passphrase|secret|token|api[_-]?key)(?i:[_-]?(?:key|value|base))?[\"']"
    r"[ \t]{0,4},[ \t]{0,4}[\"'](?P<double>[^\s\"'\n]{6,400})[\"']"
)
_QUOTED = (
    rf"(?i:\b(?:{_SAYING})\b"
    r"(?: |[ \t]{0,20}\|[ \t]{0,20})(?=[\"'`|]|(?<=\| )))(?:(?<=\| )(?P<bare>[^\s|\"'`<>]{6,})|[\"'`]"
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


def redact_assigned(text: str, mark: str) -> str:
    """Return the text without the values of what is named as a secret; ``mark`` has a place for ``kind``."""
    for number in hinted(_HINTED, text.lower()):
        kind, _, pattern, judge = _ROWS[number]
        text = _compiled(pattern).sub(_replacer(mark.format(kind=kind), judge), text)
    return text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _replacer(mark: str, judge: Callable[[re.Match[str], str, str], int]) -> Callable[[re.Match[str]], str]:
    def replace(found: re.Match[str]) -> str:
        group = str(found.lastgroup)
        value, whole = found.group(group), found.group()
        kept = judge(found, group, value)
        if kept == _ALL:
            return whole
        start = found.start(group) - found.start()
        return whole[:start] + mark + value[len(value) - kept :] + whole[start + len(value) :]

    return replace


# English has hardly a word so long: "password: required" says what is to be, "password: supersecretvalue" what is.
_NO_WORD = 14

# A judge says how many characters at the value's end are none of it (a full stop, a bracket), or that it is no secret.
_ALL = -1


def _judge_assigned(found: re.Match[str], group: str, value: str) -> int:
    name = found.group("name")
    if group != "bare":
        return 0 if _is_quoted_secret(name, value) else _ALL
    secret = value.rstrip(").]}:?*|")
    if _is_trivial(secret) or not _is_bare_secret(
        found, name, secret, found.string[found.start(group) + len(secret) :][:1]
    ):
        return _ALL
    return len(value) - len(secret)


def _is_quoted_secret(name: str, value: str) -> bool:
    if _is_trivial(value) or any(c.isspace() for c in value) and name.lower() != "passphrase":
        return False
    mixed = _is_mixed(value)
    if len(value) < 8:
        return len(value) >= 6 and mixed and _is_password(name)
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
    if tight:
        return name.isupper() or not (after and after in "(),.[]}:;")
    return len(value) >= _NO_WORD and value.isalpha() and after in ("", "\n", "\r")


def _judge_said(found: re.Match[str], group: str, value: str) -> int:
    secret = value.rstrip(".,;:!?)]}")
    worth = len(secret) >= 6 and _is_mixed(secret) and not _is_trivial(secret) and not _CODE.match(secret)
    worth = worth and not _TECHNICAL.fullmatch(secret)
    return len(value) - len(secret) if worth else _ALL


def _judge_given(found: re.Match[str], group: str, value: str) -> int:
    return _ALL if len(value) < 6 or _is_trivial(value) or value.isupper() and value.isalpha() else 0


def _judge_cookie(found: re.Match[str], group: str, value: str) -> int:
    return 0 if "=" in value and len(value) >= 16 and _is_mixed(value) and not _is_trivial(value) else _ALL


def _judge_url(found: re.Match[str], group: str, value: str) -> int:
    return _ALL if value.lower() in _PLAIN_URL_PASSWORDS or value.isdigit() or _is_trivial(value) else 0


def _judge_mixed(found: re.Match[str], group: str, value: str) -> int:
    return 0 if any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not _is_trivial(value) else _ALL


def _judge_basic(found: re.Match[str], group: str, value: str) -> int:
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
    return name.lower().startswith(("pass", "pwd", "senha", "contrase", "mot", "kennw"))


# What names a format or a method has a number too.
_TECHNICAL = re.compile(
    r"(?i)(?:base|sha|utf|md|http|oauth|argon|[ehrp]s|aes|x|ed|ipv|rfc|iso|tls|uuid|int|scrypt|pbkdf|bcrypt)-?\d{1,5}"
    r"[a-z]{0,3}(?:-\w{1,8})?|/?[\w.-]{1,60}/[\w./-]{1,200}|\d{4}-\d\d-\d\d\w*"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]?\d?|[a-z]+/[a-z]+|[A-Za-z]+\|[A-Za-z|]+|\d+[a-z]{1,4}")
_NAME_HINTS = ("passw", "passphrase", "pass", "pwd", "secret", "token", "credential", "key", "senha", "contrase") + (
    ("mot", "kennwort", "passwort", "palavra", "clave", "chave", "clé", "jeton", "schlüssel", "passcode")
)
_ROWS: tuple[tuple[str, tuple[str, ...], str, Callable[[re.Match[str], str, str], int]], ...] = (
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
    ("assigned-secret", ("credential", "credenci", "identifiants", "zugangsdaten"), _LOGIN, _judge_said),
    ("assigned-secret", _NAME_HINTS, _ARGUMENT, _judge_said),
    ("cookie", ("cookie",), _COOKIE, _judge_cookie),
    ("assigned-secret", _NAME_HINTS, ASSIGNED, _judge_assigned),
    ("assigned-secret", _NAME_HINTS, _SAID, _judge_said),
    ("assigned-secret", _NAME_HINTS, _QUOTED, _judge_said),
)
_HINTED = by_hint((hints, number) for number, (_, hints, _, _) in enumerate(_ROWS))
