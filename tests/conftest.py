"""A project in a temporary folder, with nobody's own configuration around it."""

import os
import subprocess
import sys
from importlib import import_module

import pytest
from hypothesis import settings

from limpet.ground.config.settings import offered_settings
from limpet.ground.storage.files import make_folders
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import workspace_at
from limpet.hosts import surroundings
from limpet.work.session import new_session, write_session

from .commands import run_command
from .forking import SOURCE

# Files whose tests take seconds each: they are played first, so that no worker ends long after the others.
LONG = (
    "tests/soak/",
    "tests/page/",
    "tests/server/",
    "tests/sharing/",
    "tests/operations/sharing/",
    "tests/test_record_terminal.py",
    "tests/memory/search/test_unseen.py",
    "tests/memory/index/test_sync.py",
    "tests/engine/block/test_repetition.py",
    "tests/hook/test_edits.py",
    "tests/mcp/",
    "tests/test_release.py",
)

# Properties are tried on the same seeded examples each time, and never against the clock.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


# Where the tests' folders lie in memory, if programs may be run there: on a disk, a third of the time is its own.
IN_MEMORY = "/dev/shm"
ROOM = 2 << 30  # bytes free


def pytest_configure():
    if can_hold_tests(IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", IN_MEMORY)


def can_hold_tests(folder):
    """Whether the folder is there, has room, and lets programs be run that lie in it."""
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        return False
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize > ROOM and not about.f_flag & os.ST_NOEXEC


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(autouse=True)
def user_folders(tmp_path_factory, monkeypatch):
    """The user's state and cache folders of a test, so that none touches those of whoever runs it."""
    folder = tmp_path_factory.mktemp("user")
    for name in ("LIMPET_STATE", "LIMPET_CACHE", "LIMPET_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    for name in ("CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.setenv(name, str(folder / name.lower()))
    return folder


@pytest.fixture(autouse=True)
def no_agent_above(monkeypatch):
    """Commands in the tests' process, or forked from it, are a person's, also where a coding agent runs the tests."""
    monkeypatch.setattr(surroundings, "read_ancestors", tuple)
    monkeypatch.setattr("limpet.cli.caller.read_ancestors", tuple)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """Only a power cut shows whether a file was flushed; processes with an interpreter of their own do it."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """What an ``init`` in the tests' process or forked from it compiled: that takes a second, and is tested apart."""
    calls = []
    monkeypatch.setattr(import_module("limpet.cli.init"), "compile_installation", lambda: calls.append("the package"))
    return calls


@pytest.fixture(autouse=True)
def name_in_shells(monkeypatch):
    """A person and the clients' shells find this installation by its name; to ask the shells takes a while, and is
    tested apart."""
    start, doctor = import_module("limpet.cli.init"), import_module("limpet.hosts.doctor")
    monkeypatch.setattr(start, "note_shells", lambda hosts, now: None)
    monkeypatch.setattr(doctor, "find_in_shells", lambda host: ())
    monkeypatch.setattr(doctor, "find_mistaken_name", lambda: ("", ""))


@pytest.fixture(autouse=True)
def framework_as_recorded(monkeypatch):
    """Shipped files are those of the last commit, also while somebody edits them; the comparison is tested apart."""
    monkeypatch.setattr("limpet.registry.files.shipped_record", dict)


@pytest.fixture
def user(tmp_path, monkeypatch):
    """The home folder of a user who never had Limpet or Claude Code."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(home))
    return home


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """An empty project that the user trusts, its ``.limpet`` folder made, and a user's configuration folder that does
    not exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    (tmp_path / "project" / ".limpet").mkdir(parents=True)
    return trusted(tmp_path / "project")


def trusted(root):
    """The project at ``root``, trusted by the user, who agreed to the settings as they are."""
    workspace = workspace_at(str(root))
    workspace = give_trust(workspace, offered_settings(workspace), 0.0)
    for folder in (workspace.shared, workspace.state):
        make_folders(folder)
    return workspace


def write_settings(workspace, text):
    """The project's settings, to which the user agreed."""
    with open(workspace.path("config.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    trusted(workspace.root)


@pytest.fixture
def below_claude(tmp_path):
    """What starts a command as Claude Code does, by the processes: below one of its name, and a shell."""
    (tmp_path / "claude").write_text("import subprocess, sys\nsys.exit(subprocess.call(sys.argv[1:]))\n")
    return (sys.executable, str(tmp_path / "claude"), "sh", "-c", '"$@"; exit $?', "sh")


@pytest.fixture
def shared(tmp_path):
    """The empty ``.limpet`` folder of a project, for what needs to know no more of it."""
    (tmp_path / ".limpet").mkdir()
    return str(tmp_path / ".limpet")


@pytest.fixture
def run(workspace):
    """Runs ``limpet`` with these arguments in the project, as a person's shell would; ``prefix`` is a command that
    starts it, ``first`` code that runs in its process before it."""

    def run_limpet(*arguments, cwd=workspace.root, prefix=(), first=""):
        if not prefix and not first:
            return run_command(arguments, cwd, os.environ)
        environment = {**os.environ, "PYTHONPATH": SOURCE}
        start = ["-c", f"{first}\nfrom limpet.__main__ import main; main()"] if first else ["-m", "limpet"]
        command = [*prefix, sys.executable, *start, *arguments]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)

    return run_limpet


@pytest.fixture
def conversation(workspace):
    """The id of a conversation that the project has seen."""
    write_session(workspace, new_session("abc", "claude-code", workspace.root, 0.0))
    return "abc"
