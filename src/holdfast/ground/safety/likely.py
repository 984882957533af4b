"""Whether a text may hold a secret at all, told without ``re``: the guard looks at every write, and most hold none."""

from __future__ import annotations

# What names a secret, what logs in, and what comes before a key in a block, in lower case.
_NAMES = (
    "passw,passphrase,passcode,_pass,-pass,pass_,pass-,pass:,pwd,secret,token,credential,credenci,identifiants,"
    "zugangsdaten,senha,palavra,contrase,mot de,mot_de,mot-de,kennwort,passwort,clave,chave,clé,jeton,schlüssel,"
    "apikey,appkey,accountkey,accesskey,authkey,privatekey,signingkey,encryptionkey,masterkey,deploykey,_key,-key,"
    "api key,app key,access key,account key,private key,bearer ,basic ,authorization,sshpass,htpasswd,openssl,"
    "redis-cli,mysql,machine ,mnemonic,phrase,identified ,private-lines,curl,wget,sig="
).split(",")
# Shorter runs of letters and digits are no key.
_SHORTEST = 16
_BETWEEN = {ord(sign): " " for sign in "\"'`<>()[]{},;=:@&|\\\t\n\r"}


def may_hold_secret(text: str) -> bool:
    """Return False only where redaction would find no key, no password and no login in the text."""
    lowered = text.lower()
    if any(name in lowered for name in _NAMES) or ("://" in lowered and "@" in lowered):
        return True
    words = text.translate(_BETWEEN).split()
    return any(len(word) >= _SHORTEST and any(map(str.isdigit, word)) for word in words)
