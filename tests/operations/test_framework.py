"""Packaged content: the project's own file comes first, and a broken one keeps nobody from working."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.framework import KINDS, framework_items, read_framework_item


@pytest.fixture
def own(workspace):
    def write(folder, name, raw):
        os.makedirs(workspace.path(folder), exist_ok=True)
        with open(workspace.path(folder, f"{name}.md"), "wb") as file:
            file.write(raw)

    return write


def test_what_is_packaged_is_listed_by_kind():
    found = framework_items(None)
    assert [one.kind for one in found] == sorted((one.kind for one in found), key=list(KINDS).index)
    assert all(one.title != one.name and one.source.startswith("framework/") for one in found)


def test_the_projects_own_file_takes_the_packaged_ones_place(workspace, own):
    own("templates", "prd", b"# Our requirements\n")
    found = read_framework_item(workspace, "PRD.md")
    assert (found.text, found.source) == ("# Our requirements\n", ".limpet/templates/prd.md")


def test_a_project_adds_guides_of_its_own(workspace, own):
    own("quality-gates", "release", b"# Quality gate: release\n")
    assert read_framework_item(workspace, "release").title == "Quality gate: release"
    assert "release" in [one.name for one in framework_items(workspace)]


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"<<<<<<< a\n# A\n=======\n# B\n>>>>>>> b\n"])
def test_a_broken_file_is_reported_and_the_packaged_one_used(workspace, own, raw):
    own("templates", "prd", raw)
    found = read_framework_item(workspace, "prd")
    assert found.source == "framework/templates/prd.md"
    assert ".limpet/templates/prd.md" in found.problem


def test_a_broken_file_without_a_packaged_one_is_an_error(workspace, own):
    own("templates", "ours", b"\xff\xfe")
    with pytest.raises(LimpetError, match=r"templates/ours\.md"):
        read_framework_item(workspace, "ours")


def test_the_list_has_a_file_that_cannot_be_read(workspace, own):
    """With what is wrong; the others stay."""
    own("templates", "ours", b"\xff\xfe")
    found = {one.name: one.problem for one in framework_items(workspace)}
    assert "templates/ours.md" in found["ours"] and found["prd"] == ""


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    os.makedirs(workspace.path("templates"))
    (tmp_path / "outside.md").write_text("# Outside\n")
    os.symlink(tmp_path / "outside.md", workspace.path("templates", "prd.md"))
    assert read_framework_item(workspace, "prd").source == "framework/templates/prd.md"


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(LimpetError, match="did you mean prd"):
        read_framework_item(None, "pdr")


def test_of_two_with_one_name_the_form_is_meant():
    """`brief` is a form and an agent; the agent's text names the form."""
    assert [read_framework_item(None, name).kind for name in ("brief", "agents/brief")] == ["templates", "agents"]
