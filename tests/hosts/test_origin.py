"""Lines that install Limpet name where this installation came from, in the shapes of PEP 610."""

import importlib.metadata
import json
import subprocess
import sys

import pytest

from limpet.hosts import origin
from limpet.hosts.origin import install_line, install_line_for_others

COMMIT = "0" * 40
GIT = {"url": "https://example.org/limpet.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
GIT_LINE = f"pip install 'limpet[mcp] @ git+https://example.org/limpet.git@{COMMIT}'"
WHEEL = "https://example.org/limpet-1.0-py3-none-any.whl"


class Installed:
    def __init__(self, told):
        self.told = told

    def read_text(self, name):
        assert name == "direct_url.json"
        return self.told if self.told is None or isinstance(self.told, str) else json.dumps(self.told)


def came_from(monkeypatch, told):
    monkeypatch.setattr(origin, "distribution", lambda name: Installed(told))


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (None, "pip install 'limpet[mcp]'"),
        (GIT, GIT_LINE),
        (GIT | {"vcs_info": GIT["vcs_info"] | {"requested_revision": "main"}}, GIT_LINE),
        (GIT | {"subdirectory": "python"}, GIT_LINE[:-1] + "#subdirectory=python'"),
        (
            GIT | {"url": "file:///w/limpet"},
            GIT_LINE.replace("https://example.org/limpet.git", "file://localhost/w/limpet"),
        ),
        ({"url": WHEEL, "archive_info": {"hashes": {"sha256": "ab"}}}, f"pip install 'limpet[mcp] @ {WHEEL}'"),
        ({"url": "file:///w/a%20b/limpet", "dir_info": {}}, "pip install '/w/a b/limpet[mcp]'"),
        ({"url": "file:///w/limpet", "dir_info": {"editable": True}}, "pip install -e '/w/limpet[mcp]'"),
    ],
)
def test_the_line_names_what_the_installer_noted(monkeypatch, told, line):
    came_from(monkeypatch, told)
    assert install_line("mcp") == line
    assert install_line("mcp", "uv tool install") == line.replace("pip install", "uv tool install")


def test_without_an_extra_there_are_no_brackets(monkeypatch):
    """A damaged note is no index; others are told of no folder of this machine."""
    came_from(monkeypatch, GIT)
    assert install_line() == GIT_LINE.replace("[mcp]", "")
    came_from(monkeypatch, "{")
    assert install_line("mcp") != "pip install 'limpet[mcp]'"
    came_from(monkeypatch, {"url": "file:///home/me/limpet", "dir_info": {}})
    shown = install_line_for_others("mcp", "uv tool install")
    assert "/home/me" not in shown and "address of the Limpet" in shown
    came_from(monkeypatch, GIT)
    assert install_line_for_others("mcp", "pip install") == GIT_LINE


def test_a_checkout_that_runs_without_an_installation_is_its_own_source(monkeypatch, tmp_path):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(origin, "distribution", missing)
    monkeypatch.setattr(origin, "PACKAGE_ROOT", str(tmp_path / "src"))
    assert install_line("mcp") == "pip install 'limpet[mcp]'"
    (tmp_path / "pyproject.toml").write_text("")
    assert install_line("mcp").startswith("pip install -e ") and str(tmp_path) in install_line("mcp")


@pytest.mark.parametrize("told", [GIT, {"url": WHEEL, "archive_info": {}}])
def test_the_requirement_is_one_that_installers_read(monkeypatch, told):
    """By the reader of requirements that comes with pip."""
    came_from(monkeypatch, told)
    requirement = install_line("mcp").split("'")[1]
    code = (
        "import sys; from pip._vendor.packaging.requirements import Requirement as R; r = R(sys.argv[1]); print(r.url)"
    )
    done = subprocess.run([sys.executable, "-c", code, requirement], capture_output=True, text=True)
    if done.returncode and "No module named 'pip" in done.stderr:
        pytest.skip("needs pip")
    assert done.stdout.strip() == requirement.partition(" @ ")[2], done.stderr
