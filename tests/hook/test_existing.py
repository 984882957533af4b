"""An agent that writes again what the scan of the project knows hears of it once, and is never kept from writing."""

import json
import os
import subprocess

import pytest

from ..conversation import write

THERE = '''def slugify_title(title, separator="-"):
    """Turn a title into a slug for its address."""
    return separator.join(title.lower().split())
'''
AGAIN = '''def slugify_title(title, separator="_"):
    """Make a slug of a title."""
    words = title.lower().split()
    return separator.join(words)
'''
NEW = '''def count_invoices(ledger):
    """Count the invoices of a ledger."""
    return sum(1 for line in ledger if line.is_invoice)
'''
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c")


def git(root, *words):
    subprocess.run(["git", *IDENTITY, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def scanned(host, run):
    """A repository with one function, scanned."""
    root = host.workspace.root
    write(os.path.join(root, "app", "text.py"), THERE)
    git(root, "init", "-q")
    git(root, "add", "app")
    git(root, "commit", "-qm", "a")
    assert run("registry", "scan").returncode == 0
    return host


def write_file(host, text, path="app/pages.py", **payload):
    given = {"file_path": os.path.join(host.workspace.root, path), "content": text}
    return host.send("PreToolUse", tool_name="Write", tool_input=given, tool_use_id=text + path, **payload)


def lines(answer):
    return answer.block["existing"] if answer.block else []


def test_what_is_written_again_is_told_once(scanned):
    """What, where and how alike; a second time in the conversation nothing, in another one again."""
    first, second = write_file(scanned, AGAIN), write_file(scanned, AGAIN, path="app/other.py")
    other = write_file(scanned, AGAIN, session_id="t")
    assert lines(first) == [
        "slugify_title in app/text.py:1 looks like what you add (same name; both: slugify, title, separator, slug): "
        "use or adapt it?"
    ]
    assert (second.out, lines(other)) == (b"", lines(first))
    assert "permissionDecision" not in json.loads(first.out)["hookSpecificOutput"]
