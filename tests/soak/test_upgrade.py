"""Two installations on one machine, one after the other: what the first wrote into projects is silent without it, and
answers again after one command of the second."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import click
import pytest

from limpet import __version__
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.commands.lines import NOT_INSTALLED

from ..conftest import SOURCE
from ..hook_host import POSIX
from ..memories import until
from .scale import amount

pytestmark = POSIX
PAYLOAD = {"hook_event_name": "SessionStart", "source": "startup"}
# A start is answered once in a conversation.
SESSIONS = itertools.count()


class Installation:
    """A virtual environment with a copy of the package."""

    def __init__(self, folder, version):
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.python = os.path.join(folder, "bin", "python")
        paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
        shutil.copytree(os.path.join(SOURCE, "limpet"), os.path.join(paths["purelib"], "limpet"))
        package = Path(paths["purelib"], "limpet", "__init__.py")
        package.write_text(package.read_text().replace(f'"{__version__}"', f'"{version}"'))
        with open(os.path.join(paths["purelib"], "what-it-needs.pth"), "w") as file:
            file.write(os.path.dirname(os.path.dirname(click.__file__)) + "\n")

    def run(self, *words, cwd):
        command = [self.python, "-I", "-m", "limpet", *words]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout

    def remove(self):
        """Also where a process of its own, which makes the hook's bundles, still writes into it."""
        assert until(lambda: shutil.rmtree(self.folder, ignore_errors=True) or not os.path.exists(self.folder))


def lines(project):
    """(hook line of a session's start, status line) in the project's settings."""
    settings = json.loads((project / ".claude" / "settings.local.json").read_text())
    return settings["hooks"]["SessionStart"][0]["hooks"][0]["command"], settings["statusLine"]["command"]


def run(line, project):
    """What the line prints, which ends well and says nothing else."""
    stdin = json.dumps({**PAYLOAD, "session_id": f"s{next(SESSIONS)}", "cwd": str(project)})
    done = subprocess.run(["/bin/sh", "-c", line], cwd=project, input=stdin, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def answers(projects):
    """For each project whether its rules come, and the lines of its status line."""
    told = [[run(line, project).strip() for line in lines(project)] for project in projects]
    return ["<limpet-context" in hook for hook, _ in told], [shown for _, shown in told]


@pytest.fixture
def projects(tmp_path, user):
    """Projects of a user with a status line."""
    (user / ".claude").mkdir()
    line = {"type": "command", "command": "sed 's/.*/my line/' # mine"}
    (user / ".claude" / "settings.json").write_text(json.dumps({"statusLine": line}))
    folders = [tmp_path / name for name in amount(("one", "two"), ("one", "two", "three", "four"))]
    for folder in folders:
        folder.mkdir()
    return folders


def test_one_command_of_the_next_installation_mends_every_project(tmp_path, projects):
    """One of them was moved; with the second installation gone the hooks are silent again, and the status line, which
    always has the user's own, says so."""
    count = len(projects)
    yes, no = [True] * count, [False] * count
    mine, gone = ["my line | limpet ready"] * count, [f"my line\n{NOT_INSTALLED}"] * count
    first = Installation(tmp_path / "first", "1.0.1")
    for project in projects:
        first.run("init", "--yes", "--host", "claude-code", cwd=project)
    assert answers(projects) == (yes, mine)
    written = [lines(project) for project in projects]
    projects[-1] = projects[-1].rename(tmp_path / "elsewhere")
    moved = [*mine[1:], "my line | limpet: not trusted, run limpet trust"]
    assert answers(projects) == (yes, moved)

    first.remove()
    assert answers(projects) == (no, gone)

    second = Installation(tmp_path / "second", "1.0.2")
    assert "1.0.2" in second.run("--version", cwd=tmp_path)
    assert answers(projects) == (yes, moved)
    assert [lines(project) for project in projects] == written and len(set(written)) == 1

    second.remove()
    assert answers(projects) == (no, gone)
    os.unlink(launcher_path())
    assert answers(projects) == (no, gone)
