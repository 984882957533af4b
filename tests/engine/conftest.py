"""What holds for all tests of the engine in this process."""

import pytest

from holdfast.engine import worker
from holdfast.engine.steps import capturing, ending, freshness


@pytest.fixture(autouse=True)
def no_second_process(monkeypatch):
    """Nothing is captured: these tests are about blocks and state, and a process for each event would cost minutes
    and would still be writing when the folder of its test is taken away. Capture is tested through the spawned hook."""
    monkeypatch.setattr(capturing, "is_real", lambda turn: False)
    monkeypatch.setattr(ending, "captures", lambda turn: False)
    monkeypatch.setattr(freshness, "run_job", lambda *_: None)
    monkeypatch.setattr(worker, "_launch", lambda *_, **__: None)
