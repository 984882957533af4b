"""Whether a text may hold a secret at all, told without ``re``: the guard looks at every write, and most hold none."""

from __future__ import annotations

from limpet.ground.text.word_lists import read_words

# What names a secret, logs in, or comes before a key in a block, in lower case, beside the words of ``secret_words``.
_BESIDE = (
    "passw,_pass,-pass,pass_,pass-,pass:,credential,contrase,mot_de,mot-de,clave,chave,clé,jeton,_key,-key,bearer ,"
    "basic ,authorization,sshpass,htpasswd,openssl,redis-cli,mysql,machine ,mnemonic,phrase,identified ,private-lines,"
    "curl,wget,sig="
).split(",")
# Shorter runs of letters and digits are no key.
_SHORTEST = 16
_BETWEEN = {ord(sign): " " for sign in "\"'`<>()[]{},;=:@&|\\\t\n\r"}


def may_hold_secret(text: str) -> bool:
    """Return False only where redaction would find no key, no password and no login in the text."""
    lowered, words = text.lower(), read_words("words/secret_words")
    names = (name for kind in ("passwords", "names", "logins") for name in words[kind])
    spelled = (each for name in names for each in ((name, name.replace(" ", "")) if " " in name else (name,)))
    if any(name in lowered for name in (*_BESIDE, *spelled)) or ("://" in lowered and "@" in lowered):
        return True
    runs = text.translate(_BETWEEN).split()
    return any(len(run) >= _SHORTEST and any(map(str.isdigit, run)) for run in runs)
