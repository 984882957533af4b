"""Hints: pieces of text without which a pattern cannot match, searched for first because that is far cheaper."""

from __future__ import annotations

from limpet.ground.text.word_lists import read_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    _Row = TypeVar("_Row")
# What names a secret, logs in, or comes before a key in a block, in lower case, beside the words of ``secret_words``.
_BESIDE = (
    "passw,_pass,-pass,pass_,pass-,pass:,credential,contrase,mot_de,mot-de,clave,chave,clé,jeton,_key,-key,bearer ,"
    "basic ,authorization,sshpass,htpasswd,openssl,redis-cli,mysql,machine ,mnemonic,phrase,identified ,private-lines,"
    "curl,wget,sig=,signature=,hmac=,hdn,login ,ldap,mongo,rabbitmq,influx,sqlcmd,bcp ,osql,mosquitto,ipmitool,zip ,"
    "snmp,7z,net us,nmcli,smbclient,rpcclient,smbmap,lftp,requirep,masterauth,bindpw,rootpw,authtok,psk,sensitive,"
    "auth(,auth =,auth=,getconnection,securestring,pw,pass',pass\",basic auth,send ,send_,:543,:330"
).split(",")
# Shorter runs of letters and digits are no key.
_SHORTEST = 16
_BETWEEN = {ord(sign): " " for sign in "\"'`<>()[]{},;=:@&|\\\t\n\r"}


def by_hint(rows: Iterable[tuple[tuple[str, ...], _Row]]) -> dict[str, list[_Row]]:
    """A hint of many rows is looked for once."""
    table: dict[str, list[_Row]] = {}
    for hints, row in rows:
        for hint in hints:
            table.setdefault(hint, []).append(row)
    return table


def hinted(table: dict[str, list[int]], text: str) -> list[int]:
    found: set[int] = set()
    for hint, numbers in table.items():
        if hint in text:
            found.update(numbers)
    return sorted(found)


def places(text: str, hint: str) -> Iterator[int]:
    """Where each occurrence of a hint ends."""
    at = text.find(hint)
    while at >= 0:
        at += len(hint)
        yield at
        at = text.find(hint, at)


def longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def lowered(text: str) -> str:
    """Letter by letter, so that every place is the same."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def may_hold_secret(text: str) -> bool:
    """False only where redaction would find no key, no password and no login in the text."""
    lowered, words = text.lower(), read_words("words/secret_words")
    if any(name in lowered for name in _BESIDE) or ("://" in lowered and "@" in lowered):
        return True
    for name in (*words["passwords"], *words["names"], *words["logins"]):
        if name in lowered or (" " in name and name.replace(" ", "") in lowered):
            return True
    return any(len(run) >= _SHORTEST and any(map(str.isdigit, run)) for run in text.translate(_BETWEEN).split())
