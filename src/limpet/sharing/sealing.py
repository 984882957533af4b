"""What is sent is encrypted and bound to its name with a key that a person moves once from machine to machine, so that
the store can neither read it, nor change it, nor hand out one thing for another."""

from __future__ import annotations

import base64
import os

from limpet.ground.digest import checksum
from limpet.ground.errors import LimpetError

BYTES = 32
PREFIX = "limpet-key-"
# Sizes are told in steps of so many bytes only.
_STEP = 256
_NONCE = 24
_PURPOSE = b"limpet sync 1\n"


def make_sync_key() -> bytes:
    return os.urandom(BYTES)


def write_key_line(key: bytes) -> str:
    return PREFIX + base64.b32encode(key + checksum(key)[:3]).decode().lower()


def read_key_line(line: str) -> bytes:
    """Raise LimpetError for a line that is cut or mistyped."""
    text = "".join(line.split()).lower().removeprefix(PREFIX)
    try:
        raw = base64.b32decode(text.upper())
    except ValueError:
        raw = b""
    if len(raw) != BYTES + 3 or checksum(raw[:BYTES])[:3] != raw[BYTES:]:
        raise LimpetError("Not a sync key", hint=f"It begins with {PREFIX}; copy the whole line.")
    return raw[:BYTES]


def seal(key: bytes | None, name: str, raw: bytes) -> bytes:
    """Without a key the bytes themselves."""
    if key is None:
        return raw
    from nacl import bindings

    nonce = os.urandom(_NONCE)
    padded = raw + b"\0" * (-len(raw) % _STEP)
    return nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(padded, _PURPOSE + name.encode(), nonce, key)


def unseal(key: bytes | None, name: str, sealed: bytes) -> bytes | None:
    """None for what was not sealed with this key under this name."""
    if key is None:
        return sealed
    from nacl import bindings, exceptions

    nonce, rest = sealed[:_NONCE], sealed[_NONCE:]
    try:
        raw = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(rest, _PURPOSE + name.encode(), nonce, key)
    except (exceptions.CryptoError, ValueError, TypeError):
        return None
    return raw.rstrip(b"\0")


def require_nacl() -> None:
    """Raise LimpetError where the extra is not installed."""
    try:
        import nacl.bindings  # noqa: F401
    except ImportError:
        hint = "Install Limpet with its extra: limpet[sync]. Or share without encryption: --plain"
        raise LimpetError("Encryption needs PyNaCl, which is not installed", hint=hint) from None
