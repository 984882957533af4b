"""The README's day: every command of it does what it is there for, in the order in which it stands."""

import re
import shlex
from pathlib import Path

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
