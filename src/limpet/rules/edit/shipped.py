"""Tells what of a project's rules is word for word what Limpet ships, or once shipped, and is not needed there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from limpet.ground.digest import digest
from limpet.rules.format.lines import key_of
from limpet.rules.format.manifest import PLAIN_KEYS, split_key

# The kinds of entries in ``framework/rules-shipped.txt``: a file by its name, what a manifest says of a domain beside
# its state, and any other line of a manifest.
FILE, DOMAIN, LINE = "file", "domain", "line"
BYTES = 6
_STATE = "_STATE"

Known = Mapping[str, frozenset[str]]


def read_known(text: str) -> Known:
    """Return the digests of what was ever shipped, by kind and name: ``file qa``, ``domain QA``, ``line``."""
    rows = (line.partition(": ") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: frozenset(digests.split()) for name, _, digests in rows}


def shipped_entries_of(manifest: str) -> Iterable[tuple[str, str]]:
    """Yield (kind and name, digest) of each part of a manifest."""
    for name, lines in _domains(manifest).items():
        yield f"{DOMAIN} {name}", mark("\n".join(lines))
    for line in manifest.splitlines():
        if line.strip() and _key_in(line)[1] in ("", _STATE):
            yield LINE, mark(line.strip())


def mark(text: str) -> str:
    """Return the digest of a text, whatever its line ends."""
    return digest(text.replace("\r\n", "\n"), BYTES)


def without_shipped(manifest: str, known: Known) -> str:
    """Return the manifest without what is shipped; every other line stays as it is. What it says of a domain goes whole
    or not at all, but for a state that is the user's own. "" where nothing else is left."""
    shipped = [
        name
        for name, lines in _domains(manifest).items()
        if mark("\n".join(lines)) in known.get(f"{DOMAIN} {name}", ())
    ]
    left: list[str] = []
    for line in manifest.splitlines(keepends=True):
        (name, suffix), text = _key_in(line), line.strip()
        is_whole = suffix in ("", _STATE)
        goes = bool(text) and (name in shipped or not name) and (not is_whole or mark(text) in known[LINE])
        if not goes and (text or (left and left[-1].strip())):
            left.append(line)
    while left and not left[-1].strip():
        left.pop()
    return "".join(left)


def _domains(manifest: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in manifest.splitlines():
        name, suffix = _key_in(line)
        if name:
            lines = found.setdefault(name, [])
            lines += [line.strip()] if suffix != _STATE else []
    return found


def _key_in(line: str) -> tuple[str, str]:
    """Return the domain and the suffix of a line's key, both "" for any other line."""
    key = key_of(line)
    name, suffix = split_key(key)
    return (name, suffix) if suffix and key not in PLAIN_KEYS else ("", "")
