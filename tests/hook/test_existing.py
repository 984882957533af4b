"""An agent that writes again what the scan of the project knows hears of it once, and is never kept from writing."""

import json
import os
import subprocess

import pytest

from limpet.ground.trust.giving import revoke_trust

from ..conversation import write
from ..memories import until

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


def test_what_is_new_is_not_told(scanned):
    assert write_file(scanned, NEW).out == b""


def test_an_edit_in_its_own_place_is_not_told(scanned):
    """Neither the function's own file, nor one that had a function of this name before."""
    write(os.path.join(scanned.workspace.root, "app", "mine.py"), AGAIN)
    given = {"file_path": os.path.join(scanned.workspace.root, "app", "text.py"), "new_string": AGAIN}
    edited = scanned.send("PreToolUse", tool_name="Edit", tool_input={**given, "old_string": THERE})
    assert (edited.out, write_file(scanned, AGAIN, path="app/mine.py").out) == (b"", b"")


def test_what_was_moved_away_is_not_told(scanned):
    """The file that the scan found it in has it no more."""
    write(os.path.join(scanned.workspace.root, "app", "text.py"), NEW)
    assert write_file(scanned, AGAIN).out == b""


def test_a_file_that_is_moved_whole_is_not_told(scanned, run):
    """All that it holds lies in one file of the project."""
    form = 'def {0}_report(ledger):\n    """The {0} one."""\n    return ledger.{0}()\n'
    several = "\n\n".join(map(form.format, ("yearly", "monthly", "daily")))
    write(os.path.join(scanned.workspace.root, "app", "old.py"), several)
    assert run("registry", "scan").returncode == 0
    assert write_file(scanned, several, path="app/reports.py").out == b""


def test_a_scan_of_another_commit_says_nothing_and_is_made_anew(scanned):
    """Decision 67: in the second process."""
    root = scanned.workspace.root
    git(root, "commit", "-qm", "b", "--allow-empty")
    assert write_file(scanned, AGAIN).out == b""
    assert until(lambda: lines(write_file(scanned, AGAIN, session_id="later")))


def test_nothing_is_told_without_a_scan_or_after_it_was_forgotten(scanned, run):
    assert run("registry", "scan", "--forget").returncode == 0
    assert write_file(scanned, AGAIN).out == b""


def test_a_component_is_told_with_the_extra(scanned, run):
    """A function of TypeScript, by its grammar."""
    there = "export const PriceTag = ({ price, sign }: Props) => {\n  return <b>{format(price, sign)}</b>;\n};\n"
    write(os.path.join(scanned.workspace.root, "ui", "PriceTag.tsx"), there)
    assert run("registry", "scan").returncode == 0
    answer = write_file(scanned, there.replace("<b>", "<i>"), path="ui/Price.tsx")
    assert [line.partition(" looks")[0] for line in lines(answer)] == ["PriceTag in ui/PriceTag.tsx:1"]


def test_a_private_conversation_and_a_stranger_are_told_nothing(scanned):
    """A project that is not trusted is not looked at."""
    revoke_trust(scanned.workspace)
    assert write_file(scanned, AGAIN, session_id="u").out == b""
