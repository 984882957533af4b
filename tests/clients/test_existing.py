"""An agent that writes again what the scan of the project knows hears of it once, and the write goes through."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conversation import texts
from .test_every_client import converse, finish, installed, limpet, project, set_up
from .test_guard import git

pytestmark = pytest.mark.client

__all__ = ["project"]  # a fixture

THERE = 'def slugify_title(title, separator="-"): return separator.join(title.lower().split())'
AGAIN = 'def slugify_title(title, separator="_"): return separator.join(title.strip().lower().split())'
HEARD = "slugify_title in src/text.py:1 looks like what you add (same name; both: slugify, title, separator"


@pytest.mark.parametrize("host", ["claude-code", "codex-cli"])
def test_what_is_written_again_is_told_once(host: str, project: Path, tmp_path: Path) -> None:
    """What, where and how alike, with the call; nothing for the second file, and nothing for what is new."""
    client = installed(host, tmp_path)
    (project / "src" / "text.py").write_text(f"{THERE}\n")
    git(project, "add", "src")
    git(project, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "text")
    set_up(project, client)
    limpet(client, project, "registry", "scan")
    new, first, second = (project / "src" / name for name in ("login.py", "other.py", "third.py"))
    second.write_text("a = 1\n")
    written = [client.edit(path, "a = 1", AGAIN) for path in (first, second)]
    prompts = [f"go {client.edit(new, 'a = 1', 'def count_invoices(ledger): return len(ledger)')}"]
    runs = converse(client, project, [*prompts, *(f"go {edit}" for edit in written)])
    finish(project)
    assert [texts(run.requests[-1]).count(HEARD) for run in runs] == [0, 1, 1]
    assert [path.read_text() for path in (first, second)] == [f"{AGAIN}\n"] * 2
