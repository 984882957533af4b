import pytest

from limpet.ground.clock import Patience


@pytest.fixture(autouse=True)
def patient_parser(monkeypatch):
    """The parser gets as long as a busy machine needs; what happens where it takes too long has tests of its own."""
    monkeypatch.setattr("limpet.guard.shell.understand.PATIENCE", Patience(30.0))
