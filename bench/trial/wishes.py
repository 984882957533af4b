"""A repository of the trial, and what its person wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from work import Work


@dataclass(frozen=True)
class Wish:
    """``sentence`` is how it is remembered; after ``opening`` it is how the person says it."""

    name: str
    opening: str
    sentence: str
    is_broken: Callable[[Work], bool]

    @property
    def said(self) -> str:
        return f"{self.opening} {self.sentence}".strip()


@dataclass(frozen=True)
class Repository:
    """A public repository at a commit, with its wishes, the task of each conversation, and files that a build writes.

    ``package`` is the folder of its modules, ``python_path`` the one from which they are imported.
    """

    name: str
    address: str
    commit: str
    package: str
    python_path: str
    wishes: tuple[Wish, ...]
    tasks: tuple[str, ...]
    built: dict[str, str]
