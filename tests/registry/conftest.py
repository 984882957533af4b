"""What is shipped as a copy that a test may damage, and a registry file as the seed prints it."""

import shutil
from pathlib import Path

import pytest

import limpet.framework
from limpet.registry import files
from limpet.registry.inventory import checksums

SHIPPED = Path(limpet.framework.__file__).parent


@pytest.fixture
def framework(tmp_path, monkeypatch):
    """A copy of what is shipped, recorded as it is now."""
    folder = tmp_path / "framework"
    shutil.copytree(SHIPPED, folder)
    monkeypatch.setattr(files, "FRAMEWORK", str(folder))
    recorded = {f"framework/{path}": checksums((folder / path).read_bytes())[0] for path in files._paths(str(folder))}
    monkeypatch.setattr(files, "shipped_record", lambda: recorded)
    return folder


@pytest.fixture
def own(workspace):
    """Writes a file of the project's own."""

    def write(path, text):
        place = Path(workspace.home, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place

    return write
