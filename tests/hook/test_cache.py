"""What is made from the rules can be deleted, cut short or overwritten at any time (principle 2)."""

import json
from pathlib import Path

import pytest

from holdfast.rules.plan.store import plan_state

from ..conversation import age, write
from ..hook_host import rule_lines


@pytest.mark.parametrize("cache", [b"", b"holdfast-plan 0.0.0\njunk", "half", "garbage"])
def test_a_spoilt_plan_is_made_anew(host, cache):
    """Principle 2: the cache can be deleted, cut short or overwritten."""
    host.prompt()
    path = host.workspace.path("cache", "plan")
    with open(path, "rb") as file:
        whole = file.read()
    spoilt = {"half": whole[: len(whole) - 40], "garbage": whole[:60] + b"\0" * (len(whole) - 60)}
    write(path, spoilt.get(cache, cache))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


@pytest.mark.parametrize("typed", ["", " *brief"])
def test_a_spoilt_mirror_heals_at_the_same_prompt(host, typed):
    """JSON that another program rewrote: settings are missing."""
    write(host.workspace.path("config.yaml"), "rules: {}\n")
    host.prompt("the endpoint", session_id="before")
    spoil_mirror(host, lambda settings: {section: {} for section in settings})
    assert rule_lines(host.prompt(f"the endpoint{typed}"), "API") == ["Version it."]


def test_a_mirror_of_senseless_values_heals_at_the_same_prompt(host):
    """What fails is tried once more without the cache."""
    write(host.workspace.path("config.yaml"), "rules: {}\n")
    host.prompt("the endpoint", session_id="before")
    spoil_mirror(host, lambda settings: {**settings, "rules": {**settings["rules"], "match_characters": 1.5}})
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


def spoil_mirror(host, change):
    path = Path(host.workspace.path("cache", "mirror.json"))
    data = json.loads(path.read_text(encoding="utf-8"))
    write(str(path), json.dumps({**data, "settings": change(data["settings"])}))


@pytest.mark.parametrize("typed", ["", " *brief"])
@pytest.mark.parametrize("part", range(10))
def test_a_plan_with_any_byte_spoilt_heals_at_the_same_prompt(host, part, typed):
    """Each tenth of it in turn: head, matcher, records, keywords."""
    age(host.workspace.path("rules"))
    host.prompt("the endpoint", session_id="before")
    assert plan_state(host.workspace, "words")[1]
    plan = Path(host.workspace.path("cache", "plan"))
    raw = bytearray(plan.read_bytes())
    for place in range(part * len(raw) // 10, (part + 1) * len(raw) // 10, 7):
        raw[place] ^= 0x55
    write(str(plan), bytes(raw))
    answer = host.prompt(f"the endpoint{typed}")
    assert (rule_lines(answer, "API"), rule_lines(answer, "GLOBAL")) == (["Version it."], ["Read first."])
