"""Time by the clock that no busy machine uses up, for tests whose subject it is not."""

import pytest

from limpet.ground.config.defaults import DEFAULTS

MINUTE = 60_000


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """In this process and its forks a lock is waited for a minute, and an event has so much time many times over; an
    interpreter of its own has what is shipped. What counts the processor's time needs no more."""
    monkeypatch.setitem(DEFAULTS["hosts"], "lock_patience_ms", MINUTE)
    for name, times in (("WAITING", 12), ("OPTIONAL", 13), ("ALL", 15)):
        monkeypatch.setattr(f"limpet.hook.{name}", times)
