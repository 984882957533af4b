"""Allowances of time that no busy machine uses up, for tests whose subject they are not."""

import pytest

from limpet.ground.config.defaults import DEFAULTS

MINUTE = 60_000


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Blocks, searches and second processes of this process and its forks get a minute each, and an event the share of
    its host's time that is left for it many times over; an interpreter of its own has what is shipped."""
    context, hosts = DEFAULTS["context"], DEFAULTS["hosts"]
    monkeypatch.setitem(context, "total_ms", MINUTE)
    monkeypatch.setitem(context, "allowances_ms", dict.fromkeys(context["allowances_ms"], MINUTE))
    for name in hosts:
        if name.endswith("_ms"):
            monkeypatch.setitem(hosts, name, MINUTE)
    monkeypatch.setattr("limpet.hook.WAITING", 12)
    monkeypatch.setattr("limpet.hook.ALL", 15)
