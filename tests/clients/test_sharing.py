"""What one person told a real client comes to the prompt of another: a teammate's after their look, through git or the
team's server; the same person's on their other machine, through a repository of theirs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from ..homes import bare_repository
from ..team_servers import ServerProcess, database, postgres, server
from ..terminal import in_terminal, plain_lines
from .clients import CLIENTS, Client
from .test_claude_code import SOURCE
from .test_every_client import QUESTION, TOLD, converse, limpet, set_up
from .test_guard import git
from .test_kept import KEPT, SAID, TASK
from .test_memory import blocks, finish

pytestmark = pytest.mark.client

__all__ = ["database", "postgres", "server"]  # fixtures

PROJECT = "example.com/acme/shop"
ASSISTANTS = ("claude-code", "codex-cli")


@dataclass(frozen=True)
class Home:
    """One person's machine, with their clone of the project."""

    client: Client
    project: Path

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Commands and clients find this machine's folders."""
        kinds = ("STATE", "CACHE", "DATA")
        with patch.dict(os.environ, {f"XDG_{kind}_HOME": str(self.client.folder / kind.lower()) for kind in kinds}):
            yield

    def run(self, *words: str, stdin: str = "") -> str:
        """What the command prints."""
        with self.entered():
            return limpet(self.client, self.project, *words, stdin=stdin)

    def told(self, prompt: str) -> str:
        """What of ours came with a prompt to a new conversation."""
        with self.entered():
            (run,) = converse(self.client, self.project, [prompt])
            finish(self.project)
        return blocks(run.requests[0])

    def review(self, typed: str) -> str:
        """The screen of a person who looks at what is new, in a terminal, and types."""
        with self.entered():
            around = {**os.environ, "HOME": str(self.client.home), "PYTHONPATH": str(SOURCE), "TERM": "xterm"}
            command = [sys.executable, "-m", "limpet", "review"]
            screen, _ = in_terminal(command, cwd=self.project, env=around, columns=120, typed=typed)
        return "\n".join(plain_lines(screen))

    def tell_and_share(self) -> None:
        """Tell the client something, and share what was kept of it with the team."""
        self.told(f"*remember {TOLD}")
        (kept,) = json.loads(self.run("memory", "list", "--json"))
        self.run("memory", "share", kept["id"])


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """The project's repository, with one commit."""
    remote, seed = tmp_path / "shop.git", tmp_path / "seed"
    bare_repository(remote)
    git(tmp_path, "clone", "-q", str(remote), str(seed))
    (seed / "shop.py").write_text("a = 1\n")
    git(seed, "add", "shop.py")
    git(seed, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first")
    git(seed, "push", "-q", "origin", "HEAD:main")
    return remote


@pytest.fixture
def move_in(tmp_path: Path, origin: Path) -> Iterator[Callable[[str, str, str], Home]]:
    """Sets up a home: its name, that of the person, and their client. No process of ours outlives the test."""
    homes: list[Home] = []

    def make(name: str, person: str, host: str) -> Home:
        client, project = CLIENTS[host](tmp_path / name), tmp_path / name / "shop"
        assert client.executable
        git(tmp_path, "clone", "-q", str(origin), str(project))
        git(project, "config", "user.name", person)
        git(project, "config", "user.email", f"{person.lower()}@example.org")
        homes.append(Home(client, project))
        with homes[-1].entered():
            set_up(project, client)
        return homes[-1]

    yield make
    for home in homes:
        with home.entered():
            finish(home.project)


@pytest.mark.parametrize("host", ASSISTANTS)
def test_what_a_teammate_shares_comes_after_the_look(move_in: Callable[[str, str, str], Home], host: str) -> None:
    """Through the project's own repository, under the name that git has."""
    ann, bob = move_in("ann", "Ann", "claude-code"), move_in("bob", "Bob", host)
    ann.tell_and_share()
    git(ann.project, "add", ".limpet/memories/team")
    git(ann.project, "commit", "-qm", "share")
    git(ann.project, "push", "-q", "origin", "HEAD:main")
    git(bob.project, "pull", "-q", "origin", "main")
    assert TOLD not in bob.told(QUESTION)
    assert "shared by Ann" in bob.review("k\n")
    assert TOLD in bob.told(QUESTION)


@pytest.mark.parametrize("host", ASSISTANTS)
def test_what_was_said_on_one_machine_comes_on_the_other(
    move_in: Callable[[str, str, str], Home], tmp_path: Path, host: str
) -> None:
    """In passing, not by a command: through a repository of the person's, once both have synced; it needs no look."""
    remote = bare_repository(tmp_path / "mine.git")
    first, second = move_in("desk", "Ann", "claude-code"), move_in("laptop", "Ann", host)
    began = json.loads(first.run("sync", "--git", remote, "--yes", "--json"))
    second.run("sync", "--key", stdin=began["key"])
    second.run("sync", "--git", remote, "--yes")
    for home in (first, second):
        home.run("sync", "--project", "on", "--yes")
    first.told(SAID)
    second.run("sync")
    assert KEPT not in second.told(TASK)
    first.run("sync")
    second.run("sync")
    assert KEPT in second.told(TASK)


def test_what_a_teammate_shares_through_the_server_comes_after_the_look(
    move_in: Callable[[str, str, str], Home],
    server: ServerProcess,  # noqa: F811
) -> None:
    """Nothing of it is in git; the name is that of the token."""
    ann, bob = move_in("ann", "Ann", "claude-code"), move_in("bob", "Bob", "codex-cli")
    for home, name in ((ann, "ann"), (bob, "bob")):
        git(home.project, "remote", "set-url", "origin", f"git@{PROJECT.replace('/', ':', 1)}.git")
        home.run("team", "join", server.url, "--token", server.token("acme", name), "--yes")
    ann.tell_and_share()
    ann.run("sync")
    bob.run("sync")
    assert TOLD not in bob.told(QUESTION)
    assert "shared by ann" in bob.review("k\n")
    assert TOLD in bob.told(QUESTION)
