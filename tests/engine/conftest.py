"""What holds for all tests of the engine in this process."""

import pytest

from limpet.engine import worker
from limpet.engine.event_context import EventContext
from limpet.engine.steps import start

from ..patience import patient  # noqa: F401


@pytest.fixture(autouse=True)
def no_second_process(monkeypatch):
    """Nothing is captured: a process for each event would cost minutes; capture is tested through the hook."""
    monkeypatch.setattr(EventContext, "is_real", False)
    monkeypatch.setattr(start, "run_job", lambda *_: None)
    monkeypatch.setattr(worker, "_launch", lambda *_, **__: None)
