"""What Codex's own trust keeps from running is said: it says nothing of it by itself."""

import hashlib
import json
import re

import pytest

from limpet.hosts.codex.host import CONSENT, find_hindrance, registrations
from limpet.hosts.hook_files import add_hooks

from ...conversation import write


@pytest.fixture
def hooks(tmp_path, monkeypatch):
    """A project with our hooks behind a foreign group, and an empty home of Codex."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    path = tmp_path / "p" / ".codex" / "hooks.json"
    settings = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    add_hooks(settings, registrations(True), str(path))
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


def test_nothing_is_in_the_way_where_the_person_trusted_folder_and_hooks(hooks):
    trust(hooks)
    assert find_hindrance(str(hooks.parents[1])) == ("", "")


def test_a_folder_that_is_not_trusted_runs_no_hook(hooks):
    trust(hooks, trusted=False)
    what, hint = find_hindrance(str(hooks.parents[1]))
    assert (what, hint) == ("the folder is not trusted, so that no hook of the project runs", CONSENT)


def test_a_hook_that_changed_since_it_was_trusted_is_told(hooks):
    trust(hooks, changed="Stop")
    assert find_hindrance(str(hooks.parents[1])) == ("1 hooks are not trusted and do not run", CONSENT)


def test_a_hook_that_was_switched_off_is_told(hooks):
    trust(hooks, off="Stop")
    assert find_hindrance(str(hooks.parents[1]))[0].startswith("1 hooks are switched off in ")


def test_a_config_that_is_no_toml_trusts_nothing(hooks):
    write(hooks.parents[2] / "codex" / "config.toml", "[projects")
    assert "not trusted" in find_hindrance(str(hooks.parents[1]))[0]
