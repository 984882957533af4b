"""The hook's modules from one file: the same answers, never old code, and nothing lost without it."""

import ast
import json
import os
import shutil
import subprocess
import sys
import time

import pytest

import limpet
from limpet.ground.bundle import HEAD
from limpet.ground.processes import START

from ..conversation import age, write
from ..hook_host import hook_line, rule_lines, spawn, typed
from ..memories import until

LONG_AGO = 1_600_000_000
# What the process had imported in the end, and from where.
TELLING = """
import os, sys
leave = os._exit
def tell(code):
    def loader(module):
        return type(getattr(module.__spec__, "loader", None) or module.__loader__).__name__
    ours = {name: loader(module) for name, module in sys.modules.items() if "limpet" in name}
    sys.stderr.write(repr(sorted(name for name, loader in ours.items() if loader != "Finder")))
    sys.stderr.flush()
    leave(code)
os._exit = tell
"""
BEFORE_IT = ["limpet", "limpet.ground", "limpet.ground.bundle", "limpet.hook"]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A folder with a copy of the package in it, installed long ago, and its bundles."""
    folder = tmp_path_factory.mktemp("original")
    shutil.copytree(limpet.__path__[0], folder / "limpet", ignore=shutil.ignore_patterns("__pycache__"))
    age(folder / "limpet", LONG_AGO)
    make_bundle(str(folder))
    return str(folder)


@pytest.fixture
def bundled(original, tmp_path):
    """A folder with that package in it."""
    return shutil.copytree(original, str(tmp_path / "copy"))


@pytest.fixture
def copy(original, tmp_path):
    """The same before a bundle was made."""
    return shutil.copytree(original, str(tmp_path / "copy"), ignore=shutil.ignore_patterns("__pycache__"))


def bundle(copy, way="hook"):
    return os.path.join(copy, "limpet", "__pycache__", f"{way}.{sys.implementation.cache_tag}.bundle")


def run_bundling(copy):
    start = START.format("limpet.ground.bundling")
    subprocess.run([sys.executable, "-I", "-S", "-c", start, copy], check=True, timeout=60)


def make_bundle(copy):
    run_bundling(copy)
    assert os.path.isfile(bundle(copy))


def ask(host, copy, prompt="an endpoint", **line):
    return spawn(
        typed(host.workspace, prompt), "claude-code", "UserPromptSubmit", cwd=host.workspace.root, source=copy, **line
    )


@pytest.mark.parametrize("prompt", ["a route", "*brief the route", "*agent qa"])
def test_a_prompt_takes_all_its_modules_from_the_bundle(host, bundled, prompt):
    """All but those that it takes to read it."""
    age(host.workspace.root)
    assert rule_lines(ask(host, bundled), "API") == ["Version it."]
    assert ask(host, bundled, prompt, first=TELLING).err.decode() == repr(BEFORE_IT)


def head(path):
    """How many bytes of a bundle every event reads."""
    with open(path, "rb") as file:
        return int.from_bytes(file.read(HEAD), "little")


@pytest.mark.parametrize("given", [{"command": "cd x && ls"}, {"command": "git status"}])
def test_a_tool_call_takes_all_its_modules_from_a_bundle_of_its_own(host, bundled, given):
    """What every call reads of it is smaller than that of prompts, and it is whole without that one."""
    assert head(bundle(bundled, "tool")) < head(bundle(bundled))
    os.unlink(bundle(bundled))
    payload = {"session_id": "s", "cwd": host.workspace.root, "tool_name": "Bash", "tool_input": given}
    answer = spawn(
        json.dumps(payload).encode(),
        "claude-code",
        "PreToolUse",
        cwd=host.workspace.root,
        source=bundled,
        first=TELLING,
    )
    assert answer.err.decode() == repr(BEFORE_IT)


def test_a_module_that_changed_is_taken_as_it_is_now(host, bundled):
    """Old code is never run, not for one prompt."""
    write(os.path.join(bundled, "limpet", "engine", "block", "request.py"), "raise ValueError('anew')\n")
    assert "no rules for this event" in ask(host, bundled).block["notes"][0]


def test_a_bundled_module_that_fails_fails_as_one_on_the_disk_does(host, copy):
    """What was to run after it still can."""
    path = os.path.join(copy, "limpet", "engine", "block", "request.py")
    write(path, "raise ValueError('as it was bundled')\n")
    os.utime(path, (LONG_AGO, LONG_AGO))
    make_bundle(copy)
    answer = ask(host, copy)
    assert (answer.code, answer.err) == (0, b"")
    assert "no rules for this event" in answer.block["notes"][0]


def test_the_package_before_the_bundle_holds_no_code():
    """The hook does not look for it on the disk."""
    with open(os.path.join(limpet.__path__[0], "ground", "__init__.py"), encoding="utf-8") as file:
        assert len(ast.parse(file.read()).body) == 1


@pytest.mark.parametrize("raw", [b"", b"no bundle", b"(\x02", b"i\x01\x00\x00\x00"])
def test_a_bundle_of_any_bytes_harms_nobody(host, bundled, raw):
    """Nor does one of another interpreter: its head tells."""
    with open(bundle(bundled), "wb") as file:
        file.write(raw)
    answer = ask(host, bundled)
    assert (answer.code, answer.err, rule_lines(answer, "API")) == (0, b"", ["Version it."])


def test_a_start_has_it_made_where_there_is_none(host, copy):
    """In a second process: nobody waits for it."""
    command = hook_line("claude-code", "SessionStart", source=copy)
    payload = typed(host.workspace).replace(b'"prompt"', b'"source": "startup", "x"')
    subprocess.run(command, input=payload, cwd=host.workspace.root, check=True, timeout=60, capture_output=True)
    assert until(lambda: os.path.isfile(bundle(copy)))
    age(host.workspace.root)
    ask(host, copy)
    assert ask(host, copy, "a route", first=TELLING).err.decode() == repr(BEFORE_IT)


def test_sources_that_were_just_written_are_not_bundled(copy):
    """They may be written again within the same tick of the file system's clock."""
    path = os.path.join(copy, "limpet", "engine", "steps", "block.py")
    os.utime(path, (time.time(), time.time()))
    run_bundling(copy)
    assert not os.path.exists(bundle(copy))
