"""How large the window is where no status line tells it."""

import json
import os
import sys

import pytest

from ..conversation import write
from ..hook_host import Host, bare, run_hook, state

SONNET = "claude-sonnet-4-6"
LARGE, USUAL = 1_000_000, 200_000


@pytest.fixture
def used(workspace, tmp_path):
    """The conversation's usage after a prompt: with files of settings by their paths below the project or the user's
    folder, an environment, tokens in use and the model that answered."""
    user, host = tmp_path / "claude", Host(workspace)

    def measure(files=None, environment=None, tokens=170_000, model=SONNET, **payload):
        for path, data in (files or {}).items():
            place = os.path.join(user if path.startswith("user/") else workspace.root, path.removeprefix("user/"))
            write(place, data if isinstance(data, str) else json.dumps(data))
        transcript = os.path.join(workspace.root, "t.jsonl")
        message = {"role": "assistant", "model": model, "content": [], "usage": {"input_tokens": tokens}}
        with open(transcript, "a", encoding="utf-8") as file:
            file.write(json.dumps({"type": "assistant", "message": message}) + "\n")
        around = {**bare(), "CLAUDE_CONFIG_DIR": str(user), **(environment or {})}
        host.prompt(transcript_path=transcript, process={"env": around}, **payload)
        return state(workspace)["usage"]

    return measure


def told(usage):
    return usage["window"], usage["told_by"]


@pytest.mark.parametrize(
    ("files", "environment"),
    [
        ({"user/settings.json": {"model": "sonnet[1m]"}}, {}),
        ({".claude/settings.json": {"model": f"{SONNET}[1m]"}}, {}),
        ({".claude/settings.local.json": {"model": "us.anthropic.claude-sonnet-4-6-v1:0[1m]"}}, {}),
        ({"user/settings.json": {"env": {"ANTHROPIC_MODEL": "sonnet[1m]"}}}, {}),
        ({"user/settings.json": {"model": "sonnet"}}, {"ANTHROPIC_MODEL": f"{SONNET}[1m]"}),
        ({"user/settings.json": {"model": "sonnet"}}, {"ANTHROPIC_DEFAULT_SONNET_MODEL": f"{SONNET}@default[1m]"}),
        ({"user/settings.json": {"model": "sonnet[1m]"}, ".claude/settings.json": "{ no JSON"}, {}),
    ],
    ids=["user", "project", "local, Bedrock", "env of settings", "environment", "alias, Vertex", "a broken one"],
)
def test_the_mark_of_a_large_window_in_the_settings_counts(used, files, environment):
    usage = used(files, environment)
    assert told(usage) == (LARGE, "settings") and usage["remaining"] == 83


@pytest.mark.parametrize(
    ("files", "environment"),
    [
        ({"user/settings.json": {"model": "opus[1m]"}}, {}),
        ({"user/settings.json": {"model": "sonnet[1m]"}, ".claude/settings.json": {"model": "sonnet"}}, {}),
        ({"user/settings.json": {"model": "sonnet[1m]"}}, {"ANTHROPIC_MODEL": "sonnet"}),
        ({"user/settings.json": {"model": ["sonnet[1m]"]}}, {}),
    ],
    ids=["another model", "a stronger file", "a stronger variable", "no text"],
)
def test_what_is_not_chosen_says_nothing(used, files, environment):
    assert told(used(files, environment)) == (USUAL, "model")


@pytest.mark.skipif(sys.platform == "win32", reason="the client is a process with words of ours")
@pytest.mark.parametrize(
    ("words", "window"),
    [(("--model", "sonnet[1m]"), LARGE), (("--model=sonnet[1m]",), LARGE), (("--model=sonnet",), USUAL)],
)
def test_the_model_that_the_client_was_started_with_counts(workspace, used, started_client, words, window):
    environment = {**bare(), "CLAUDE_PID": started_client(*words)}
    assert Host(workspace).send("SessionStart", source="startup", process={"env": environment}).code == 0
    assert told(used({"user/settings.json": {"model": "haiku"}})) == (window, "model")


@pytest.fixture
def started_client():
    """The id of a process with these words, which waits until the test is over."""
    import subprocess

    clients = []

    def start(*words):
        client = subprocess.Popen([sys.executable, "-c", "input()", *words], stdin=subprocess.PIPE)
        clients.append(client)
        return str(client.pid)

    yield start
    for client in clients:
        client.communicate(b"\n")


@pytest.mark.parametrize(
    ("model", "window", "by"),
    [
        ("us.anthropic.claude-opus-5-20261101-v1:0", LARGE, "model"),
        ("arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-4-20250514-v1:0", USUAL, "model"),
        ("claude-3-5-sonnet-v2@20241022", USUAL, "model"),
        ("anthropic/claude-haiku-5:beta", LARGE, "model"),
        ("models/gemini-3-pro", 1_048_576, "model"),
        ("house-model", LARGE, "nobody"),
    ],
)
def test_names_of_providers_are_known_and_an_unknown_model_has_no_small_window(used, model, window, by):
    assert told(used(model=model)) == (window, by)


def test_settings_are_read_only_where_it_counts(used):
    """Little is in use: what a file says changes nothing."""
    assert told(used({"user/settings.json": {"model": "sonnet[1m]"}}, tokens=30_000)) == (USUAL, "model")


def test_more_in_use_than_the_window_holds_shows_that_it_is_larger(used):
    """From then on, for this model."""
    assert told(used(tokens=250_000)) == (LARGE, "growth")
    assert told(used(tokens=150_000)) == (LARGE, "growth")
    assert told(used(tokens=150_000, model="claude-haiku-4-5")) == (USUAL, "model")


def test_a_guess_is_told(used, run):
    used(model="house-model")
    assert "a window whose size nobody told" in run("why").stdout
    assert (
        "Nobody tells how many tokens the window of house-model holds: it counts as 1,000,000"
        in run("doctor", "--all").stdout
    )
    assert run("config", "set", "context.windows.house-model", "400000").returncode == 0
    assert told(used(model="house-model")) == (400_000, "model")
    assert "nobody told" not in run("why").stdout


@pytest.mark.parametrize(
    ("config", "window", "by"),
    [
        ('model = "gpt-5.5"\nmodel_context_window = 400_000 # mine\n[tui]\n', 380_000, "settings"),
        ("[profiles.large]\nmodel_context_window = 400000\n", 258_400, "model"),
        ("", 258_400, "model"),
    ],
)
def test_codex_settings_count_for_a_rollout_that_tells_no_window(workspace, tmp_path, config, window, by):
    """What the rollout tells is better."""
    write(str(tmp_path / "codex" / "config.toml"), config)
    around = {"env": {**bare(), "CODEX_HOME": str(tmp_path / "codex")}}
    path = os.path.join(workspace.root, "rollout.jsonl")

    def usage(**info):
        counted = {"last_token_usage": {"input_tokens": 200_000, "total_tokens": 200_000}, **info}
        lines = ("turn_context", {"model": "gpt-5.5"}), ("event_msg", {"type": "token_count", "info": counted})
        write(path, "".join(json.dumps({"type": kind, "payload": payload}) + "\n" for kind, payload in lines))
        payload = {"session_id": "s", "cwd": workspace.root, "hook_event_name": "UserPromptSubmit", "prompt": "Go on."}
        raw = json.dumps({**payload, "turn_id": f"t{len(info)}", "transcript_path": path, "model": "gpt-5.5"}).encode()
        assert run_hook(raw, "codex-cli", "UserPromptSubmit", cwd=workspace.root, **around).code == 0
        return told(state(workspace)["usage"])

    assert usage() == (window, by)
    assert usage(model_context_window=272_000) == (272_000, "host")
