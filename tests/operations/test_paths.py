"""Files of the project by the names that people type."""

import os

from limpet.operations.caller import from_root


def test_a_path_typed_below_the_root_counts_from_the_root(workspace, monkeypatch):
    """With ``/``, wherever it was typed."""
    os.makedirs(os.path.join(workspace.root, "src"))
    monkeypatch.chdir(os.path.join(workspace.root, "src"))
    assert from_root(workspace, "a.py") == "src/a.py"
    assert from_root(workspace, os.path.join(workspace.root, "b.py")) == "b.py"


def test_a_path_that_leads_elsewhere_stays(workspace, monkeypatch):
    """It names no file of the project."""
    monkeypatch.chdir(workspace.root)
    assert from_root(workspace, "../other/a.py") == "../other/a.py"
