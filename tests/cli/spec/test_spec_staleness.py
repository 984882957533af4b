"""What makes documents stale, by ``limpet work spec`` in real repositories: content, what it was judged against,
and neither branches nor clones nor time stamps."""

import os
import re
import shutil
import subprocess
from functools import partial

import pytest

from .test_spec import ANSWERS, by_spec, get, put, state

MAIN = "print('hello')\n"


@pytest.fixture
def project(workspace, spec):
    """A committed project whose architecture was evaluated, the state committed with it."""
    put(workspace, "docs/architecture.md", "# Architecture\n\nParts.\n")
    put(workspace, "src/main.py", MAIN)
    put(workspace, "src/parts/one.py", "x = 1\n")
    put(workspace, "answers.yaml", ANSWERS)
    git(workspace.root, "init", "-q", "-b", "main")
    spec("scan", "--write")
    spec("evaluate", "architecture", "--answers", "answers.yaml")
    commit(workspace.root)
    return workspace


def git(root, *words):
    who = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *words], cwd=root, env={**os.environ, **who}, check=True, capture_output=True)


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")


def test_a_branch_switch_makes_nothing_stale_and_a_change_on_the_branch_does(project, spec):
    """On the branch where it was made; back on the other one it is as it was."""
    git(project.root, "switch", "-qc", "other")
    put(project, "docs/architecture.md", "# Another\n")
    commit(project.root)
    assert state(spec)[::2] == ("stale", "docs/architecture.md changed")
    git(project.root, "switch", "-q", "main")
    assert state(spec)[::2] == ("current", "")


@pytest.mark.parametrize("line_ends", ["lf", "crlf"])
def test_a_colleagues_clone_with_other_time_stamps_and_line_ends_agrees(project, call, tmp_path, line_ends):
    """What was committed after the evaluation is no change; a change there is."""
    clone = tmp_path / "colleague"
    how = f"core.autocrlf={'true' if line_ends == 'crlf' else 'false'}"
    git(tmp_path, "clone", "-q", "-c", how, project.root, clone)
    text = (clone / "docs/architecture.md").read_bytes()
    assert (b"\r\n" in text) == (line_ends == "crlf")
    for folder, _, names in os.walk(clone):
        for name in names:
            if ".git" not in folder:
                os.utime(os.path.join(folder, name), (4e9, 4e9))
    assert call("trust", "--yes", cwd=str(clone)).returncode == 0
    theirs = by_spec(partial(call, cwd=str(clone)))
    assert state(theirs)[::2] == ("current", "")
    (clone / "docs/architecture.md").write_bytes(text.replace(b"Parts", b"Pieces"))
    assert state(theirs)[0] == "stale"


def test_what_is_put_back_is_current_again(project, spec):
    """Committed or not, also without git."""
    put(project, "src/main.py", "print('bye')\n")
    assert state(spec)[::2] == ("stale", "src/main.py changed")
    commit(project.root)
    assert state(spec)[0] == "stale"
    put(project, "src/main.py", MAIN)
    assert state(spec)[0] == "current"
    shutil.rmtree(os.path.join(project.root, ".git"))
    assert state(spec)[0] == "current"
    put(project, "src/main.py", "print('bye')\n")
    assert state(spec)[::2] == ("stale", "src/main.py changed")


def test_inside_a_source_file_nothing_tells_but_a_new_folder_or_manifest_does(project, spec):
    """Added and removed files of a watched pattern count."""
    put(project, "src/parts/one.py", "x = 2\n")
    put(project, "src/parts/two.py", "y = 2\n")
    assert state(spec)[0] == "current"
    put(project, "pyproject.toml", "[project]\n")
    assert state(spec)[::2] == ("stale", "pyproject.toml is new")
    os.unlink(os.path.join(project.root, "pyproject.toml"))
    put(project, "src/area/one.py", "")
    assert state(spec)[::2] == ("stale", "src/area/ is new")
    shutil.rmtree(os.path.join(project.root, "src/area"))
    os.unlink(os.path.join(project.root, "src/main.py"))
    assert state(spec)[::2] == ("stale", "src/main.py was deleted")


def test_what_an_older_version_evaluated_asks_to_be_evaluated_again_and_is_not_stale(project, spec):
    """Whatever changed; the next evaluation has what to compare with."""
    detail = ".limpet/artifacts/architecture.yaml"
    old = re.sub(r"(?m)^(document_hash|watched\w*): .*\n", "", get(project, detail))
    put(project, detail, old)
    put(project, "src/main.py", "print('bye')\n")
    assert state(spec) == ("current", 4, "evaluated by an older version: evaluate it again")
    assert "evaluated by an older version" in spec("status")
    spec("evaluate", "architecture", "--answers", "answers.yaml")
    assert state(spec) == ("current", 4, "")


def test_a_changed_requirement_names_stories_and_documents(project, spec):
    """In the status and in the document's line, until the PRD is evaluated again."""
    prd = "# PRD\n\n## FR-3 Login\nA user logs in.\n\n- FR-30: other\n- **NFR-2**: fast\n"
    put(project, "docs/prd.md", prd)
    put(project, ".limpet/stories/S-1/story.md", "---\nid: S-1\n---\n# Login\nAs FR-3 says.\n")
    put(project, ".limpet/stories/S-2/story.md", "---\nid: S-2\n---\n# Other\nFR-30 only.\n")
    put(project, "docs/architecture.md", "# Architecture\n\nFR-3 is met by the gate.\n")
    assert "prd  docs/prd.md" in spec("scan", "--write")
    asked = spec("evaluate", "prd", "--json")["checklist"]
    given = [part for item in asked for part in ("--answer", f"{item['id']}={'no' if item['penalty'] else 'yes'}")]
    spec("evaluate", "prd", *given)
    assert state(spec, "prd")[::2] == ("current", "")
    put(project, "docs/prd.md", prd.replace("A user logs in.", "A user logs in twice.").replace("- FR-30: other\n", ""))
    assert state(spec, "prd")[::2] == ("stale", "FR-3 changed, FR-30 is gone")
    lines = spec("status").splitlines()
    assert "FR-3 changed: story S-1; document architecture" in lines
    assert "- prd 5/5 stale, docs/prd.md: FR-3 changed, FR-30 is gone" in lines
    assert "FR-30 is gone: story S-2" in spec("status", "prd").splitlines()
    put(project, "docs/prd.md", prd)
    assert state(spec, "prd")[::2] == ("current", "")
