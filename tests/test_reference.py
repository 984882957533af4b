"""docs/commands.md and the settings of docs/config.md are what tools/reference.py makes of help and schema."""

import importlib.util
from pathlib import Path

import pytest

from limpet.ground.formats.schema import leaf_paths, load_schema

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def reference():
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_commands_is_what_help_says(reference):
    """To make it again: python tools/reference.py."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == reference.commands_page()


def test_the_table_of_settings_is_what_the_schema_says(reference):
    page = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    assert reference.with_settings(page) == page
    assert page.count("\n| `context.") > 10


def test_the_settings_of_the_page_are_at_most_60_and_exist(reference):
    known = {".".join(path) for path, _ in leaf_paths(load_schema("config"))}
    assert len(reference.DOCUMENTED) == len(set(reference.DOCUMENTED)) <= 60
    assert set(reference.DOCUMENTED) - known == set()
