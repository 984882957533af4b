"""What a store of revisions has to do, whatever keeps it: add what several writers wrote, and change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value

PUT = "put"


class Moved(LimpetError):
    """Others wrote meanwhile: look again, then try again."""


class Unreached(LimpetError):
    """The store cannot be reached for now; nothing is lost by waiting."""


class ReadOnly(LimpetError):
    """The store takes nothing from this machine, which may read it."""


class StoreDeed(Value):
    """What somebody did to a store, without a word of what it holds.

    ``place``: later deeds have higher ones. ``at``: seconds since 1970.
    ``deed``: ``put``; of a server also ``erased``, ``issued``, ``rotated``, ``revoked``, ``approved``, ``rejected``.
    ``about``: what it was done to. ``person``: who, by their token; of a repository the writers. ``token``: its id.
    """

    place: int
    at: float
    deed: str
    about: str
    project: str = ""
    person: str = ""
    token: str = ""
    agent: str = ""


class Transport(Protocol):
    """Names are paths with ``/``; what a name holds is never changed. Everything raises LimpetError. ``vouches``: it
    knows who writes and turns others away, so that every writer counts."""

    vouches: bool

    def revision(self) -> str:
        """Look at the store, and return what tells its state from all others, "" for an empty one."""

    def list(self) -> Mapping[str, str]:
        """At the last look name -> a checksum of what it holds, "" for what cannot be one of ours."""

    def get(self, names: Iterable[str]) -> Mapping[str, bytes]:
        """Of those that ``list`` has a checksum for."""

    def put(self, contents: Mapping[str, bytes], upon: str, anew: bool = False) -> str:
        """Add to the state ``upon`` and return the new one; ``anew``: in place of all that is there. Raise Moved where
        that is not the state any more, ReadOnly where this machine may not add to it. It is a deed of the audit, in the
        same step."""

    def audit(self, before: int = 0, most: int = 100) -> Sequence[StoreDeed]:
        """What was done, the newest first. ``before``: a place behind the first, 0 for the newest."""

    def writer(self) -> frozenset[str]:
        """Who wrote, at the last look."""

    def tombstone(self, names: Iterable[str]) -> bool:
        """Take away what these hold, which newer ones stand for; False where the store keeps its history."""

    def checksum(self, raw: bytes) -> str:
        """As ``list`` has it."""
