"""What Codex's own trust keeps from running is said: it says nothing of it by itself."""

import hashlib
import json
import re

import pytest

from limpet.hosts.codex.host import CLIENT
from limpet.hosts.hook_files import add_hooks

from ...conversation import write


@pytest.fixture
def hooks(tmp_path, monkeypatch):
    """A project with our hooks behind a foreign group, and an empty home of Codex."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    path = tmp_path / "p" / ".codex" / "hooks.json"
    settings = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    add_hooks(settings, CLIENT.registrations(True), str(path))
    write(path, json.dumps(settings))
    return path


def trust(hooks, trusted=True, changed="", off=""):
    """Write what Codex keeps when a person trusts all, as the client of 0.169.0 was seen to."""
    lines = [f"[projects.{json.dumps(str(hooks.parents[1]))}]", 'trust_level = "trusted"'] if trusted else []
    for event, groups in json.loads(hooks.read_text())["hooks"].items():
        for place, group in enumerate(groups):
            (handler,) = group["hooks"]
            name = re.sub("(?<!^)(?=[A-Z])", "_", event).lower()
            definition = {"timeout": 600, **handler, "async": False}
            known = {**group, "event_name": name, "hooks": [definition]}
            text = json.dumps(known, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            digest = "" if event == changed else hashlib.sha256(text.encode()).hexdigest()
            lines += [f'[hooks.state."{hooks}:{name}:{place}:0"]', f'trusted_hash = "sha256:{digest}"']
            lines += ["enabled = false"] if event == off else []
    write(hooks.parents[2] / "codex" / "config.toml", "\n".join(lines))


@pytest.mark.parametrize(
    ("how", "what", "hint"),
    [
        ({}, "", ""),
        ({"trusted": False}, "the folder is not trusted, so that no hook of the project runs", CLIENT.CONSENT),
        ({"changed": "Stop"}, "1 hooks are not trusted and do not run", CLIENT.CONSENT),
        ({"off": "Stop"}, "1 hooks are switched off in ", None),
    ],
    ids=["nothing", "the folder", "changed since", "switched off"],
)
def test_what_is_in_the_way_of_hooks_is_told(hooks, how, what, hint):
    """Nothing where the person trusted folder and hooks."""
    trust(hooks, **how)
    found = CLIENT.find_hindrance(str(hooks.parents[1]))
    assert found == (what, hint) if hint is not None else found[0].startswith(what)


def test_a_config_that_is_no_toml_trusts_nothing(hooks):
    write(hooks.parents[2] / "codex" / "config.toml", "[projects")
    assert "not trusted" in CLIENT.find_hindrance(str(hooks.parents[1]))[0]
