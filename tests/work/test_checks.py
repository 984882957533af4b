"""Checks, run."""

import os
import subprocess
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.checks import check_words, propose_checks, run_check, tree_digest

from ..memories import until
from ..processes import lives


def check(line, patience=30.0):
    """The end of a check in the current folder."""
    return run_check("tests", line, os.getcwd(), patience)


def test_a_check_ends_as_it_ended_with_the_end_of_its_output():
    """Both streams as one, the last part of them."""
    done = check(f"{sys.executable} -c \"import sys; print('x' * 50_000 + 'end'); sys.exit(3)\"")
    assert (done.exit_code, len(done.tail), done.tail.split()[-1][-3:]) == (3, 20_000, b"end")


@pytest.mark.skipif(os.name != "posix", reason="bash")
def test_a_failure_before_a_pipe_is_one():
    """W2: ``pytest | tail -1`` ended with 0."""
    assert check("exit 3 | cat").exit_code == 3
    assert check("true | cat").exit_code == 0


def test_without_bash_a_pipe_is_refused(monkeypatch):
    """Any other shell would lose the failure; a line without signs of the shell needs none."""
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(LimpetError, match="needs bash.*check tests"):
        check_words("tests", "pytest | tail -1")
    assert check_words("tests", "pytest -q 'a b'") == ["pytest", "-q", "a b"]


@pytest.mark.parametrize("line", ["", "  ", "pytest 'a", "no-such-command-at-all"])
def test_a_check_that_cannot_be_run_is_told(line):
    """With the command that mends it."""
    with pytest.raises(LimpetError, match="check tests.*limpet config set work.checks.tests"):
        check(line)


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_check_that_takes_too_long_is_ended_with_what_it_started(tmp_path):
    """124, as ``timeout`` says it."""
    assert check(f"sleep 600 & echo $! > {tmp_path}/pid; wait", 2).exit_code == 124
    pid = (tmp_path / "pid").read_text().strip()
    assert until(lambda: not lives(pid))


@pytest.fixture(params=["git", "plain"])
def tree(tmp_path, request):
    """A folder with a file, in a repository and without one."""
    (tmp_path / "a.py").write_text("1")
    if request.param == "git":
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        (tmp_path / ".gitignore").write_text("*.log\n")
        subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: (tree / "a.py").write_text("2"),
        lambda tree: (tree / "b.py").write_text(""),
        lambda tree: (tree / "a.py").unlink(),
        lambda tree: (tree / "a.py").rename(tree / "c.py"),
        lambda tree: os.symlink("a.py", tree / "link"),
        pytest.param(
            lambda tree: os.chmod(tree / "a.py", 0o755),
            marks=pytest.mark.skipif(os.name != "posix", reason="executable bits"),
        ),
    ],
)
def test_a_change_of_the_files_is_one_of_the_digest(tree, change):
    """Content, a new file, a deleted one, a name, a link, the right to run it."""
    before = tree_digest(str(tree))
    change(tree)
    assert tree_digest(str(tree)) != before


def test_what_we_and_tools_write_does_not_count(tree):
    """Nor when a file was touched, nor what git ignores, such as a log that a check writes."""
    before = tree_digest(str(tree))
    for name in (".limpet/session.yaml", "__pycache__/a.pyc", "node_modules/x/index.js"):
        (tree / name).parent.mkdir(parents=True)
        (tree / name).write_text("x")
    os.utime(tree / "a.py", (1, 1))
    assert tree_digest(str(tree)) == before
    (tree / "x.log").write_text("x")
    assert (tree_digest(str(tree)) == before) is (tree / ".git").exists()


def test_a_repository_inside_is_read_too(tree):
    """Git lists its folder only."""
    subprocess.run(["git", "init", "-q", tree / "inside"], check=True)
    (tree / "inside" / "x.py").write_text("1")
    before = tree_digest(str(tree))
    (tree / "inside" / "x.py").write_text("2")
    assert tree_digest(str(tree)) != before


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["python -m pytest -q"]),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, ["npm test"]),
        ({"Cargo.toml": "[package]\n"}, ["cargo test"]),
        ({"go.mod": "module x\n"}, ["go test ./..."]),
        ({"Makefile": "build:\n\ntest: build\n\t./t\n"}, ["make test"]),
        ({"package.json": '{"scripts": {"test": "vitest"}}', "pnpm-lock.yaml": ""}, ["pnpm test"]),
        ({"package.json": '{"scripts": {"test": "jest"}, "packageManager": "yarn@4.1.0"}'}, ["yarn test"]),
        ({"package.json": '{"scripts": {"test": "jest"}, "packageManager": ["rm"]}', "bun.lock": ""}, ["bun run test"]),
        ({"pyproject.toml": "[tool.pytest]", "uv.lock": ""}, ["uv run pytest -q"]),
        ({"Cargo.toml": "", ".config/nextest.toml": ""}, ["cargo nextest run"]),
        ({"pyproject.toml": "[project]\n"}, []),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
        ({"package.json": "{"}, []),
        ({"package.json": "[]"}, []),
        ({"Makefile": "test := 1\n"}, []),
    ],
)
def test_tests_are_run_as_the_project_runs_them(tmp_path, files, lines):
    """By the file that says so, its lock file, or what it names; none without tests, or where the file is broken."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(propose_checks(str(tmp_path)).values()) == lines
