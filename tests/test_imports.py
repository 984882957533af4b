"""What may be imported: on the prompt path a short list, and everywhere downwards only."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.bundling import LISTS

from .forking import SOURCE
from .hook_samples import IN_REPOSITORY, LOOKED_AT, PROMPT, SAMPLES, TOOL, module_lists, play_all

ROOT = os.path.dirname(SOURCE)
# Of the standard library, for every event: ``os`` with what it brings, and small modules in C for locks, JSON and
# hashes. What is built into the interpreter (``sys``, ``time``, ``gc``, ``marshal``) costs nothing and is not named.
LIBRARY = frozenset(
    (
        *("__future__", "os", "os.path", "stat", "posixpath", "ntpath", "genericpath", "_collections_abc"),
        *("fcntl", "msvcrt", "_json", "_blake2"),
    )
)
# Which of these there are is the platform's.
PLATFORMS = frozenset(("posixpath", "ntpath", "fcntl", "msvcrt"))
FUNCTOOLS = frozenset("types functools collections keyword operator reprlib".split())
# For a prompt that finds memories: the database in C, which wants ``functools``.
OF_MEMORIES = frozenset(("_sqlite3", "math", *FUNCTOOLS))
# For a prompt beyond ASCII, whose accents and scripts are folded.
OF_SCRIPTS = frozenset(("unicodedata",))
# For a tool call that writes a text in which a secret may be.
OF_PATTERNS = FUNCTOOLS.union(
    "re re._casefix re._compiler re._constants re._parser enum copyreg math collections.abc bisect _bisect"
    " binascii".split()
)
# For a tool call that is parsed.
OF_THE_PARSER = frozenset(("select",))
# By way and sample what it may import beside ``LIBRARY``; for any other it is nothing.
BESIDES = {
    PROMPT: {
        "beyond ASCII": OF_SCRIPTS,
        **dict.fromkeys(("memory, MODERATE", "memory, DEPLETED", "memories that open"), OF_MEMORIES),
    },
    TOOL: {
        **dict.fromkeys(("what a memory names", "commit", "tests"), OF_MEMORIES),
        "maybe a secret": OF_PATTERNS,
        "parsed command": OF_THE_PARSER,
        "commands": OF_THE_PARSER,
    },
}
# But where a process is started, with whatever that takes: git for a call, and what hears the last words of other
# conversations where one begins.
STARTING = (IN_REPOSITORY, "start")
NAMES = [(way, name) for way, each in SAMPLES.items() for name in each if name not in STARTING]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Every sample, played once."""
    return play_all(str(tmp_path_factory.mktemp("samples")))


def test_the_list_of_modules_is_what_the_samples_import(played):
    """To make it again: python tools/prompt_path.py."""
    with open(LISTS, encoding="utf-8") as file:
        assert json.load(file) == module_lists(played)


@pytest.mark.parametrize(("way", "name"), NAMES)
def test_an_event_imports_no_more_of_the_standard_library_than_it_may(played, way, name):
    """No json, typing, pathlib, logging, subprocess or yaml, and most events neither re, collections nor functools."""
    found = played[way][name].library
    assert sorted(found - LIBRARY - BESIDES[way].get(name, frozenset())) == []


def test_whatever_an_event_may_import_one_does(played):
    for way, each in BESIDES.items():
        found = set().union(*(event.library for event in played[way].values()))
        assert sorted(LIBRARY.union(*each.values()) - PLATFORMS - found) == []


def test_a_repository_is_looked_at_once_a_turn(played):
    """Later calls see that there is a mark, and import nothing for it."""
    looking = {"limpet.engine.guard.effects", "limpet.engine.guard.snapshot", "limpet.ground.git"}
    first, later = (played[TOOL][name] for name in (IN_REPOSITORY, LOOKED_AT))
    assert looking <= first.ours and looking.isdisjoint(later.ours)
    assert not any("redaction" in name for name in first.ours | later.ours)


def test_the_samples_do_what_they_are_named_after(played):
    """Or they would import too little."""
    prompts, calls = played[PROMPT], played[TOOL]
    assert b"limpet-context" in prompts["prompt"].answer
    assert b"domains switched here" in prompts["star-command"].answer
    assert b"qa" in prompts["command that gives rights"].answer
    assert b"in-force" in prompts["beyond ASCII"].answer
    for bracket in ("MODERATE", "DEPLETED"):
        answer = prompts[f"memory, {bracket}"].answer
        assert b"versioned by date" in answer and b"<notes>" not in answer
    assert b"run the linter" in prompts["memories that open"].answer
    assert b"named_once" in calls["what a memory names"].answer
    assert b"run the linter" in calls["commit"].answer
    assert b"read_prices in numbers.py:1" in calls["what exists"].answer
    assert {calls[name].answer for name in ("search", "read", "command", "edit", "plain text")} == {b""}


def test_floors_hold():
    """Imports go down only, rooms of one floor do not know each other (import-linter's contracts)."""
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


LOADED = """
import atexit, sys
from limpet.__main__ import main
atexit.register(lambda: sys.stderr.write(" ".join(name for name in sys.modules if name.startswith("limpet."))))
main(*sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("words", "most", "not_there"),
    [
        (("--version",), 40, "cli.status"),
        (("work", "status"), 155, "cli.work.story"),
        (("memory", "list"), 190, "cli.memory.change"),
        (("guard", "explain"), 65, "cli.guard.rights"),
        (("config", "get"), 105, "operations.mirror"),
        (("status",), 270, "operations.memory.conversations.extraction"),  # it looks at four hosts
    ],
)
def test_a_command_loads_what_it_runs(workspace, words, most, not_there):
    """None of its siblings, and so many modules of ours at most."""
    command = [sys.executable, "-c", LOADED, *words]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, cwd=workspace.root, env=environment, capture_output=True, text=True)
    found = done.stderr.split()
    assert done.returncode == 0 and done.stdout
    assert f"limpet.{not_there}" not in found
    assert len(found) <= most
