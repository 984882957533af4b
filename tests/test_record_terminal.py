"""tools/record_terminal.py: the README's picture is what the commands print, and tells nothing of the machine."""

import importlib.util
import os
import platform
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMITTED = ROOT / "docs" / "assets" / "terminal.svg"


@pytest.fixture(scope="module")
def recorder():
    """The program as a module."""
    spec = importlib.util.spec_from_file_location("record_terminal", ROOT / "tools" / "record_terminal.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def recordings(recorder, tmp_path_factory):
    """Two recordings, each by the program as a person starts it."""
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    assert [recorder.main([str(folder)]) for folder in folders] == [0, 0]
    return [(folder / "terminal.svg").read_text(encoding="utf-8") for folder in folders]


def words(picture):
    """The lines that a reader sees."""
    drawn = ElementTree.fromstring(picture)
    return "".join(drawn.itertext()).replace("\N{NO-BREAK SPACE}", " ")


def test_two_recordings_have_the_same_bytes(recordings):
    """Whatever ids, times and folders they ran with."""
    assert recordings[0] == recordings[1]


def test_the_committed_picture_is_what_the_commands_print_today(recordings):
    """A wish that comes back; python tools/record_terminal.py makes it anew."""
    assert recordings[0] == COMMITTED.read_text(encoding="utf-8")
    assert words(recordings[0]).count("No, use pnpm, not npm") == 3


@pytest.mark.parametrize("which", ["recorded", "committed"])
def test_a_picture_names_nothing_of_the_machine_and_loads_nothing(which, recordings):
    """No folder, host or user, and no address but the name of the format."""
    picture = recordings[0] if which == "recorded" else COMMITTED.read_text(encoding="utf-8")
    seen = words(picture)
    assert [name for name in ("/tmp", "/work", os.path.expanduser("~"), platform.node()) if name in seen] == []
    assert re.findall(r"https?://[^\s\"'<]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", picture)
