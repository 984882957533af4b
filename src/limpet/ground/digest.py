"""Short content hashes by BLAKE2, without the import of ``hashlib``."""

from __future__ import annotations

try:
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b

LONGEST = 80
_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def digest(text: str, size: int = 8) -> str:
    """In 2 x ``size`` hexadecimal digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def checksum(raw: bytes | memoryview) -> bytes:
    return blake2b(raw, digest_size=8).digest()


def safe_name(name: str) -> str:
    """The id itself when it is plain, else its plain characters and a hash."""
    if 0 < len(name) <= LONGEST and _CHARACTERS.issuperset(name):
        return name
    plain = "".join(c for c in name if c in _CHARACTERS)
    return f"{plain[:24]}-{digest(name)}"
