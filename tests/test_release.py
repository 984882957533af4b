"""The release: sdist and wheel are built as the publishing workflow does, and the wheel works on its own."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from limpet import __version__

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "publish.yml"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(sdist, wheel), the wheel made from the sdist's own files, so that none of the checkout's is missing there."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: run `python3 run.py test`")
    folder = tmp_path_factory.mktemp("release")
    build(ROOT, folder, "sdist")
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    build(folder / f"limpet-{__version__}", folder, "wheel")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def build(source, out, target):
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out), cwd=source)


def run(*words, cwd, **variables):
    """What a command prints; it must succeed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CLAUDE", "LIMPET"))}
    done = subprocess.run(words, cwd=cwd, env={**kept, **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def clean(built, tmp_path):
    """The commands' folder of a new environment with the wheel. What the wheel asks for is taken from the environment
    of the tests, because no test uses the network; Limpet itself is not."""
    venv.create(tmp_path / "clean", with_pip=False)
    names = {"base": str(tmp_path / "clean"), "platbase": str(tmp_path / "clean")}
    scheme = sysconfig.get_paths("venv" if "venv" in sysconfig.get_scheme_names() else None, vars=names)
    python = str(Path(scheme["scripts"]) / ("python.exe" if os.name == "nt" else "python"))
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", "-q")
    run(*pip, str(built[1]), cwd=tmp_path)
    (Path(scheme["purelib"]) / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])
    return Path(scheme["scripts"])


def test_the_wheel_works_in_a_clean_environment(clean, tmp_path):
    """Its own files alone are used; version, demonstration, installation and a package."""
    home = {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    code = "import limpet; print(limpet.__file__)"
    assert str(tmp_path / "clean") in run(str(clean / "python"), "-c", code, cwd=project)
    limpet = str(clean / "limpet")
    assert run(limpet, "--version", cwd=project) == f"limpet, version {__version__}\n"
    assert json.loads(run(limpet, "demo", "--json", cwd=project, **home))
    for host in ("claude", "codex", "gemini"):
        run(limpet, "package", host, "--out", str(tmp_path / host), cwd=project, **home)
        assert (tmp_path / host / "README.md").exists() or host == "codex"


def test_the_wheel_holds_the_data_and_nothing_but_the_package(built):
    """Each file of the framework, the licence, the command, and no test."""
    with zipfile.ZipFile(built[1]) as archive:
        names = set(archive.namelist())
        (meta,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = archive.read(meta).decode()
    source = ROOT / "src"
    data = {
        path.relative_to(source).as_posix()
        for path in (source / "limpet").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == data
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"Version: {__version__}" in told and "License-Expression: MIT" in told
    wanted = {word.partition(">")[0].lower() for word in project["dependencies"]}
    asked = [line.partition(": ")[2] for line in told.splitlines() if line.startswith("Requires-Dist: ")]
    assert {line.partition(">")[0].lower() for line in asked if "extra ==" not in line} == wanted


def test_the_sdist_can_be_checked(built):
    """Whoever has it can run the tests and read the pages."""
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "run.py", "tests/conftest.py"} <= names
    assert not [name for name in names if name.startswith(".venv") or "__pycache__" in name]


def test_the_changelog_has_a_heading_for_what_is_released():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{__version__}]" in text or "\n## [Unreleased]" in text


def test_a_tag_publishes_without_a_token():
    """By trusted publishing, of a version that is the tag's."""
    text = WORKFLOW.read_text()
    assert 'tags: ["v*"]' in text and "id-token: write" in text and "GITHUB_REF_NAME" in text
    assert "secrets." not in text and "://" not in text and "password" not in text
