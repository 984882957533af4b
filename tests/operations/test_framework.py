"""Packaged content: the project's own file comes first, and a broken one keeps nobody from working."""

import os

import pytest

from limpet.operations.framework import KINDS, forms_of, packaged_texts
from limpet.roles.agent import Agent


@pytest.fixture
def own(workspace):
    def write(folder, name, raw):
        os.makedirs(workspace.path(folder), exist_ok=True)
        with open(workspace.path(folder, f"{name}.md"), "wb") as file:
            file.write(raw)

    return write


def form_of(workspace, *names):
    """What an agent of these forms works by; only one."""
    (form,) = forms_of(workspace, Agent(id="scribe", title="Scribe", mission="", templates=names))
    return form


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_packaged_is_there_by_kind(kind):
    assert all(packaged_texts(kind).values())


def test_a_packaged_form_has_a_title_and_a_source():
    found = form_of(None, "prd")
    assert found.title.startswith("Requirements") and found.source == "framework/templates/prd.md"


def test_what_a_form_says_of_itself_is_not_handed_out(workspace, own):
    """Its own frontmatter, which is to be filled in, is."""
    assert form_of(workspace, "task").text.startswith('---\nid: "{id}"\n')
    own("templates", "ode", b"---\ntype: template\npurpose: Odes\n---\n\n# Ode\n")
    own("templates", "plain", b"---\n\n# Not closed\n")
    assert form_of(workspace, "ode").text == "# Ode\n"
    assert form_of(workspace, "plain").text == "---\n\n# Not closed\n"


def test_the_projects_own_file_takes_the_packaged_ones_place(workspace, own):
    own("templates", "prd", b"# Our requirements\n")
    found = form_of(workspace, "prd")
    assert (found.text, found.source) == ("# Our requirements\n", ".limpet/templates/prd.md")


def test_a_project_adds_forms_of_its_own(workspace, own):
    """A name that no file has is passed over."""
    own("quality-gates", "release", b"# Quality gate: release\n")
    assert form_of(workspace, "release", "nowhere").title == "Quality gate: release"


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"<<<<<<< a\n# A\n=======\n# B\n>>>>>>> b\n"])
@pytest.mark.parametrize(("name", "source"), [("prd", "framework/templates/prd.md"), ("ours", "")])
def test_a_broken_file_is_reported_and_the_packaged_one_used(workspace, own, raw, name, source):
    """Where there is one."""
    own("templates", name, raw)
    found = form_of(workspace, name)
    assert (bool(found.text), f".limpet/templates/{name}.md" in found.problem) == (bool(source), True)
    assert not source or found.source == source


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    os.makedirs(workspace.path("templates"))
    (tmp_path / "outside.md").write_text("# Outside\n")
    os.symlink(tmp_path / "outside.md", workspace.path("templates", "prd.md"))
    assert form_of(workspace, "prd").source == "framework/templates/prd.md"
