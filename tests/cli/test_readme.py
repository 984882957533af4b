"""The README's day: every command of it does what it is there for, in the order in which it stands."""

import json
import re
import shlex
from pathlib import Path

import pytest

from limpet.ground.text.tokens import estimate_tokens

from ..hook_host import Host

PAGE = Path(__file__).parents[2] / "README.md"
DAY = re.compile(r"^## A day with it\n(.*?)^## ", re.MULTILINE | re.DOTALL)


def commands():
    found = DAY.search(PAGE.read_text(encoding="utf-8"))
    return [line[4:] for line in found[1].splitlines() if line.startswith("    limpet ")]


def test_every_command_of_the_day_works(user, workspace, call):
    """In a project that was initialised, with a conversation in which something was remembered."""
    assert len(commands()) >= 12
    call("init", "--host", "claude-code")
    told = call("memory", "add", "The staging database is reset every night.").stdout.strip()
    host = Host(workspace)
    host.send("SessionStart", session_id="s1", source="startup")
    host.prompt("load the customers into staging", session_id="s1")
    for command in commands():
        _, *words = shlex.split(command)
        agreed = ["--yes"] if words[0] in ("pause", "trust") else []  # at a terminal a person says so
        done = call(*(told[-8:] if word == "ID" else word for word in words), *agreed)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
        assert done.stdout, command


def test_what_a_conversation_costs_is_what_the_screens_say(user, workspace, call):
    """The page's figure, the start's own tokens and the sum of its parts are one count, not the most that it may be."""
    call("init", "--host", "claude-code")
    (said,) = re.findall(r"some (\d+) tokens of Limpet's", PAGE.read_text(encoding="utf-8"))
    start = json.loads(call("why", "--for", "--start", "--json").stdout)
    assert start["tokens"] == pytest.approx(int(said), rel=0.1)
    assert start["tokens"] < estimate_tokens(start["block"])
    Host(workspace).send("SessionStart", session_id="s1", source="startup")
    assert f"sent about {start['tokens']} tokens" in call("log").stdout
    assert f"Sent about {start['tokens']} of at most" in call("why").stdout


def test_what_opens_every_conversation_stands_on_the_page(user, workspace, call):
    """Constitution and basic rules, and how to take out what can be taken out."""
    call("init", "--host", "claude-code")
    text = call("why", "--for", "--start", "--text").stdout
    assert text.count(". ") + 1 >= 3 and text.count("\n- ") == 4
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "three sentences of its [constitution]" in page and "four basic rules" in page
    assert "`limpet rules off global`" in page
    assert call("rules", "off", "global").returncode == 0
    assert "<rules" not in call("why", "--for", "--start", "--text").stdout


def test_the_page_names_the_option_for_files(user, workspace, call):
    assert '`--paths "*.sql"`' in PAGE.read_text(encoding="utf-8")
    assert call("rules", "add", "sql", "--paths", "*.sql", "--rule", "Name it.").returncode == 0
