"""What `limpet package` writes, installed by each real client's own plugin manager: alone, beside the hooks of
`init`, and on a machine without Limpet.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from limpet.hosts.packages import MISSING

from .clients import Client
from .conversation import count
from .test_every_client import (
    BLOCK,
    CONSTITUTION,
    TOLD,
    client,
    limpet,
    project,
    sent,
    set_up,
    work_on_story,
)
from .test_guard import NO_PUSH, pushed
from .test_kept import KEPT, SAID
from .test_memory import blocks

pytestmark = pytest.mark.client

__all__ = ["client", "project"]  # fixtures

MARKETPLACE = ("plugin", "marketplace", "add", "{}")
VALIDATE: dict[str, Sequence[str]] = {
    "claude-code": ("plugin", "validate", "--strict", "--profile", "directory", "{}"),
    "gemini-cli": ("extensions", "validate", "{}"),
}
INSTALL: dict[str, Sequence[Sequence[str]]] = {
    "claude-code": (MARKETPLACE, ("plugin", "install", "limpet@limpet")),
    "codex-cli": (MARKETPLACE, ("plugin", "add", "limpet@limpet")),
    "copilot-cli": (MARKETPLACE, ("plugin", "install", "limpet@limpet")),
    "gemini-cli": (("extensions", "link", "{}", "--consent"),),
}
LIST = {"gemini-cli": ("extensions", "list")}


@pytest.fixture
def package(client: Client, project: Path, tmp_path: Path) -> Path:
    """The client's package, valid and installed, as the client itself says."""
    folder = tmp_path / "package"
    limpet(client, project, "package", client.host, "--out", str(folder))
    for words in (*filter(None, [VALIDATE.get(client.host)]), *INSTALL[client.host]):
        client.manage(project, *(word.format(folder) for word in words))
    assert "limpet" in client.manage(project, *LIST.get(client.host, ("plugin", "list")))
    return folder


def put_on_path(monkeypatch: pytest.MonkeyPatch, is_there: bool) -> None:
    """The command is on PATH, or is not, whatever the developer's has."""
    folders = [each for each in os.environ["PATH"].split(os.pathsep) if not shutil.which("limpet", path=each)]
    ours = [str(Path(sys.executable).parent)] if is_there else []
    monkeypatch.setenv("PATH", os.pathsep.join([*ours, *folders]))


def test_the_plugin_alone_brings_the_block_once(
    client: Client, project: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a project without hooks of its own; what is typed for its skill acts too, also by the longer name."""
    put_on_path(monkeypatch, is_there=True)
    limpet(client, project, "init", "--host", client.host, "--yes")
    limpet(client, project, "uninstall", "--yes")
    client.consent(project)
    runs = [client.ask(project, "hello")]
    for prompt in ("/limpet status", "/limpet:limpet status"):
        runs.append(client.ask(project, prompt, conversation=runs[0].conversation))
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert [count(each, CONSTITUTION) for each in sent(runs)] == [1] * len(sent(runs))
    assert ["Show the user these lines" in blocks(run.requests[-1]) for run in runs] == [False, True, True]


def test_the_plugin_alone_remembers_in_a_repository_without_init(
    client: Client, project: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction typed in one conversation is in the next; the working tree stays as it was."""
    put_on_path(monkeypatch, is_there=True)
    before = sorted(path.name for path in project.iterdir())
    assert ".limpet" not in before
    client.consent(project)
    with client.terminal(project) as terminal:
        terminal.type(SAID)
        terminal.wait(lambda: "FAKE-ANSWER" in terminal.drawn)
    later = client.ask(project, "hello")
    assert later.returncode == 0 and KEPT in blocks(later.requests[0])
    assert sorted(path.name for path in project.iterdir()) == before


def test_beside_the_hooks_of_init_each_event_counts_once(
    client: Client, project: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decision 12: one block, one memory, one denial on record, and what a person allows once is let through."""
    put_on_path(monkeypatch, is_there=True)
    set_up(project, client)
    work_on_story(client, project)
    runs = [client.ask(project, "hello")]
    for prompt in (f"*remember {TOLD}", f"go {client.shell('git push')}"):
        runs.append(client.ask(project, prompt, conversation=runs[0].conversation))
    assert [count(each, CONSTITUTION) for each in sent(runs)] == [1] * len(sent(runs))
    fed = [count(run.requests[-1], BLOCK) for run in runs]
    assert all(0 <= after - before <= 1 for before, after in pairwise(fed))
    assert [NO_PUSH in text for text in runs[2].tools] == [True]
    (denied,) = json.loads(limpet(client, project, "guard", "log", "--json"))
    assert [one["title"] for one in json.loads(limpet(client, project, "memory", "list", "--json"))] == [TOLD]
    limpet(client, project, "guard", "allow", denied["id"], "--reason", "tried", "--yes")
    client.ask(project, f"go {client.shell('git push')}", conversation=runs[0].conversation)
    assert pushed(project)


def test_a_machine_without_limpet_is_told_once_and_works_on(
    client: Client, project: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the client shows a hook's message, the person reads it; else the model. No call is in the way."""
    put_on_path(monkeypatch, is_there=False)
    client.consent(project)
    runs = [client.ask(project, f"go {client.shell('echo seen')}")]
    runs.append(client.ask(project, "go on", conversation=runs[0].conversation))
    assert [run.returncode for run in runs] == [0, 0]
    assert "seen" in runs[0].tools[0]
    told = 1 if client.host == "copilot-cli" else 0
    assert [count(each, MISSING.partition("{")[0]) for each in sent(runs)] == [told] * 3
    if client.host != "copilot-cli":
        with client.terminal(project) as terminal:
            terminal.type("hello")
            terminal.wait(lambda: "FAKE-ANSWER" in terminal.drawn)
            assert "Limpet is not" in terminal.drawn
