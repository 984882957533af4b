"""``run.py`` is what a stranger starts first, with whatever Python there is."""

import ast
import importlib.util
import os
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run():
    """The module ``run.py``."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_can_read_it_and_is_told_which_one_is_needed(run, monkeypatch, capsys):
    """Python 3.7 gets as far as the message; where no newer one is found, nothing is installed."""
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    assert ast.parse(source, feature_version=(3, 7))
    monkeypatch.setattr(run, "is_fit", lambda: False)
    monkeypatch.setattr(run, "find_python", lambda: None)
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    assert run.main(["demo"]) == 1
    assert "needs Python 3.11 or newer; this is 3.8" in capsys.readouterr().err


def test_without_ensurepip_nothing_is_begun_and_the_mend_is_told(run, monkeypatch, capsys):
    """Debian splits it off into a package of its own, which the message names for that very version."""
    assert "apt install python3.12-venv" in run.complaint((3, 12, 0))
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(run, "venv_works", lambda: False)
    monkeypatch.setattr(run, "find_python", lambda: None)
    assert run.main(["test"]) == 1
    assert "ensurepip is missing" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
def test_a_newer_python_on_the_path_is_found(run, monkeypatch, tmp_path):
    """One that is there and refuses, as a version manager's empty shim does, is passed over."""
    for name, code in (("python3.14", 127), ("python3.12", 0), ("python3", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.find_python() == str(tmp_path / "python3.12")


def test_the_usage_names_every_measurement(run):
    """Each is a file in bench/ and stands on its page."""
    page = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    words = run.USAGE.replace(",", " ").split()
    for name in run.BENCHES:
        assert name in words
        assert (ROOT / "bench" / f"{name}.py").is_file()
        assert f"## {name}.py" in page


def test_an_unknown_command_or_measurement_gets_the_usage(run, monkeypatch, capsys):
    """Nothing is installed, and no other one runs with the mistyped name for an argument."""
    monkeypatch.setattr(run, "prepare", lambda dev: pytest.fail("installs"))
    assert run.main(["bench", "tokenz"]) == 2
    assert "memory_speed" in capsys.readouterr().err
    assert run.main(["tset"]) == 2
    assert "usage: python3 run.py demo" in capsys.readouterr().err


def test_options_without_a_name_go_to_the_hooks_measurement(run, monkeypatch):
    """As `run.py bench --check` in the handbook."""
    calls = []
    monkeypatch.setattr(run, "prepare", lambda dev: None)
    monkeypatch.setattr(run.subprocess, "call", lambda command, **_: calls.append(command[1:]) or 0)
    assert run.main(["bench", "--check"]) == 0
    assert calls[-1:] == [[os.path.join(run.ROOT, "bench", "hook.py"), "--check"]]


@pytest.mark.parametrize(("command", "first", "full"), [("soak", "tests/soak", "1"), ("test", "tests/rules", None)])
def test_what_is_sampled_is_played_in_full_on_request(run, monkeypatch, command, first, full):
    """By its folder and a variable that the samples read."""
    calls = []
    monkeypatch.delenv("LIMPET_SOAK", raising=False)
    monkeypatch.setattr(run, "prepare", lambda dev: None)
    monkeypatch.setattr(run, "side_by_side", lambda checks: [])
    monkeypatch.setattr(run.subprocess, "call", lambda words, **given: calls.append((words, given.get("env"))) or 0)
    assert run.main([command, "-x"] if full else [command, first, "-x"]) == 0
    words, environment = calls[-1]
    assert words[-2:] == [first, "-x"] and environment.get("LIMPET_SOAK") == full


def test_types_are_checked_as_every_platform_has_them(run):
    """Code for one platform is invisible to a check of another; a cache each keeps them quick."""
    checks = [command for name, command in run.CHECKS if name.startswith("types")]
    assert [command[command.index("--platform") + 1] for command in checks] == ["linux", "darwin", "win32"]
    assert len({command[command.index("--cache-dir") + 1] for command in checks}) == 3


def test_the_environment_is_made_again_when_its_requirements_change(run, monkeypatch, tmp_path):
    """The stamp follows the text of both files, so that a second run is quick and an outdated one is not."""
    for name in run.SOURCES:
        (tmp_path / name).write_text("old")
    monkeypatch.setattr(run, "ROOT", str(tmp_path))
    stamps = {run.stamp(dev=True)}
    for name in run.SOURCES:
        (tmp_path / name).write_text("new")
        stamps.add(run.stamp(dev=True))
    assert len(stamps) == 3


def test_every_tool_of_the_checks_has_its_version_fixed():
    """A check that follows the newest release fails on days when nobody changed anything."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    wanted = {line.split(">")[0].strip().lower() for line in groups["dev"]}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    fixed = {line.split("==")[0].lower() for line in lines if "==" in line}
    assert wanted <= fixed


def test_checks_run_side_by_side_and_each_says_its_own(run, capsys):
    """What one says stands under its name, and those that fail are named."""
    say = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"
    checks = [(name, [sys.executable, "-c", say, f"of {name}", code]) for name, code in ("a0", "b1")]
    assert run.side_by_side(checks) == ["b"]
    assert capsys.readouterr().out == "-- a\nof a\n-- b\nof b\n"
