"""The package's bytecode is written and found."""

import importlib.util
import os

from limpet.hosts.commands import upkeep


def test_the_package_gets_its_bytecode(tmp_path, monkeypatch):
    """Each module that has none, and the check says so before and after."""
    (tmp_path / "limpet" / "room").mkdir(parents=True)
    module = tmp_path / "limpet" / "room" / "module.py"
    module.write_text("x = 1\n")
    monkeypatch.setattr(upkeep, "PACKAGE_ROOT", str(tmp_path))
    before = upkeep.check_bytecode()
    upkeep.compile_package()
    assert (before.status, upkeep.check_bytecode().status) == ("warn", "ok")
    assert os.path.exists(importlib.util.cache_from_source(str(module)))
