"""A team's server as the store. What it listed before is kept here, so that a look costs what is new."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import loads
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.ground.text.escaping import clip, on_one_line
from limpet.sharing.mark import MARK, write_mark
from limpet.sharing.revision import decode, read_name
from limpet.sharing.transport import Moved, ReadOnly, StoreDeed, Unreached

SECONDS = 30
"""For one answer."""
_AT_ONCE, _BYTES = 500, 8_000_000
_OFFLINE = (429, 500, 502, 503, 504)
# The store's own record: a server has one history, of texts that it can read.
_MARK = write_mark(1, None)
_MEANWHILE = ("Another machine wrote meanwhile", "", "Try again.")


class Forbidden(LimpetError):
    """The token does not allow it."""


class HttpRemote:
    """``listed``: a file of this machine's cache, which may be deleted. ``project``: its name there. ``persons``: id
    of a revision -> who brought it, by the token that the server saw."""

    vouches = True

    def __init__(self, address: str, token: str, project: str, listed: str) -> None:
        self.address, self.token, self.project, self._file = address, token, project, listed
        self._newest, self._last, self._ids, self.persons = _read_listed(listed)

    def revision(self) -> str:
        more = True
        while more:
            found = self.ask("GET", "/v1/revisions", since=self._newest, last=self._last)
            if found["anew"]:
                self._ids, self.persons = {}, {}
            for name, key, person in found["found"]:
                self._ids[name], self.persons[key], self._last = key, on_one_line(person), key
            more = found["more"] and found["newest"] > self._newest
            self._newest = found["newest"]
            self._last = self._last if self._newest else ""
        self._keep()
        return str(self._newest) if self._ids else ""

    def list(self) -> Mapping[str, str]:
        return self._ids

    def get(self, names: Iterable[str]) -> Mapping[str, bytes]:
        asked = list(names)
        wanted, found = [name for name in asked if name in self._ids], {MARK: _MARK} if MARK in asked else {}
        for at in range(0, len(wanted), _AT_ONCE):
            sent = {"names": wanted[at : at + _AT_ONCE]}
            answer = self.ask("POST", "/v1/revisions/wanted", sent)
            found.update((name, text.encode()) for name, text in answer["contents"].items())
        return found

    def put(self, contents: Mapping[str, bytes], upon: str, anew: bool = False) -> str:
        if anew:
            raise LimpetError("The team's history is the team's", self.address, "It is not begun anew from a machine.")
        if int(upon or 0) != self._newest:
            raise Moved(*_MEANWHILE)
        for part in _parts(contents):
            sent = {"contents": part, "upon": self._newest, "last": self._last}
            answer = self._add(sent)
            if answer["newest"] != self._newest + len(part):  # these came before, and what others wrote stands between
                raise Moved(*_MEANWHILE)
            self._newest, self._last = answer["newest"], answer["last"]
            self._ids.update((name, decode(text.encode()).id) for name, text in part.items())
        self._keep()
        return str(self._newest)

    def audit(self, before: int = 0, most: int = 100) -> Sequence[StoreDeed]:
        """Of all that the token, an administrator's, is for."""
        found = self.ask("GET", "/v1/audit", before=before, most=most)
        return [StoreDeed(**one) for one in found["deeds"]]

    def _add(self, sent: Mapping[str, Any]) -> Any:
        try:
            return self.ask("POST", "/v1/revisions", sent)
        except Forbidden as error:
            raise ReadOnly(error.what, error.where, error.hint) from None

    def writer(self) -> frozenset[str]:
        return frozenset(place[0] for place in map(read_name, self._ids) if place)

    def tombstone(self, names: Iterable[str]) -> bool:
        """The server does it by itself, once what erases an entry comes."""
        return True

    def checksum(self, raw: bytes) -> str:
        """The id, which is the same once a text was taken."""
        return decode(raw).id

    def _keep(self) -> None:
        write_if_possible(self._file, json.dumps([self._newest, self._last, self._ids, self.persons]))

    def ask(self, method: str, path: str, sent: Mapping[str, Any] | None = None, **query: Any) -> Any:
        url = urlsplit(self.address)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname or "", url.port, timeout=SECONDS)
        asked = f"{url.path.rstrip('/')}{path}?{urlencode({'project': self.project, **query})}"
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": f"limpet/{__version__}"}
        body = None if sent is None else json.dumps(sent).encode()
        try:
            connection.request(method, asked, body, {**headers, "Content-Type": "application/json"})
            answer = connection.getresponse()
            raw = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unreached(f"The server does not answer ({error})", self.address, "Nothing is lost.") from error
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise self._failure(answer.status, raw)
        if not raw:  # cut among its headers
            raise Unreached("The server's answer was cut", self.address, "Nothing is lost.")
        try:
            told: Any = loads(raw.decode("utf-8", "replace"))
            return _Told(told)
        except (ValueError, TypeError):
            raise _no_answer() from None

    def _failure(self, status: int, raw: bytes) -> LimpetError:
        told = clip(on_one_line(_error_in(raw)), 300)
        if status == http.client.PRECONDITION_FAILED:
            return Moved(*_MEANWHILE)
        if status == http.client.FORBIDDEN:
            return Forbidden(f"The server says: {told}", self.address, "Ask for a token that may.")
        if status in _OFFLINE:
            return Unreached(f"The server says: {told}", self.address, "Nothing is lost.")
        return LimpetError(f"The server says: {told}", self.address, "Nothing was changed.")


class _Told(dict[str, Any]):
    """What a server told. Raise LimpetError where it lacks what ours tells."""

    def __missing__(self, _: str) -> Any:
        raise _no_answer()


def _no_answer() -> LimpetError:
    return LimpetError("Not an answer of a Limpet server", "", "Check the address: limpet team join URL --token T")


def _parts(contents: Mapping[str, bytes]) -> list[dict[str, str]]:
    """In the order given, each small enough for a request."""
    parts, size = list[dict[str, str]](), 0
    for name, raw in contents.items():
        if name == MARK:
            continue
        if not parts or len(parts[-1]) >= _AT_ONCE or size + len(raw) > _BYTES:
            parts.append({})
            size = 0
        parts[-1][name] = raw.decode("utf-8", "replace")
        size += len(raw)
    return parts


def _read_listed(path: str) -> tuple[int, str, dict[str, str], dict[str, str]]:
    try:
        told: Any = loads(read_text(path) or "")
        newest, last, ids, persons = told
        return int(newest), str(last), dict(ids), dict(persons)
    except (ValueError, TypeError):
        return 0, "", {}, {}


def _error_in(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    try:
        told: Any = loads(text)
        return str(told["error"])
    except (ValueError, TypeError, KeyError):
        return text
