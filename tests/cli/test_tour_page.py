"""docs/tour.md: every command on the page does what the page shows."""

import re
import shlex
from pathlib import Path

import pytest

from limpet.ground.storage.user_folders import data_folder, state_folder
from limpet.ground.trust.giving import forget_project

from ..hook_host import Host

PAGE = Path(__file__).parents[2] / "docs" / "tour.md"
MISTAKES = "FOO\nQA_RECAL=x\nNEWDOM_ALWAYS_ON=true\n"
ELSEWHERE = ("demo", "completion")  # the one has a test of its own, the other is a shell's


def commands(page=PAGE):
    """(command, the lines shown under it) of a page's blocks, in order; what ends it all comes last."""
    found = []
    for block in re.findall(r"(?:^(?: {4}.*)?\n)+", page.read_text(encoding="utf-8"), re.MULTILINE):
        for line in (line[4:] for line in block.strip("\n").splitlines()):
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and block.lstrip("\n").startswith("    $ "):
                found[-1][1].append(line)
    return sorted(found, key=lambda one: one[0].startswith("limpet uninstall"))


def steady(text, root):
    """The text with what differs from run to run set aside: folder, times, figures of the clock, ids, caches' sizes."""
    text = text.replace(root, "/home/you/project").replace(state_folder(), "/home/you/.local/state/limpet")
    text = text.replace(data_folder(), "/home/you/.local/share/limpet")
    text = re.sub(r"project-[0-9a-f]{16}", "project-KEY", text)
    text = re.sub(r"\d{4}-\d\d-\d\d(?:T[\d:]+Z| \d\d:\d\d)", "TIME", text)
    text = re.sub(r"\b\d+(?:\.\d+)?(?= ms)", "N", text)
    text = re.sub(r"warn(  \w+ \(local\) answers), but( in N ms).*", r"ok  \1\2", text)  # on a busy machine
    text = re.sub(r"\d+ bytes +", "N bytes  ", text)
    return re.sub(r"mem-\d{4}-\d\d-\d\d-[0-9a-z]{8}", "MEMORY", "\n".join(map(str.rstrip, text.splitlines())))


def is_shown(text, shown):
    """Whether the text is what the page shows, where ``...`` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, shown.strip("\n").split("..."))), text.strip("\n"), re.DOTALL)


@pytest.fixture
def prompted(user, workspace):
    """A conversation s1, as far as the page has it: begun, a run of tests that failed, and one prompt typed."""

    def speak():
        host = Host(workspace)
        host.send("SessionStart", session_id="s1", source="startup")
        failed = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "t", "error": "Exit code 1"}
        host.send("PostToolUseFailure", session_id="s1", **failed)
        host.prompt("add a failing test", session_id="s1")

    return speak


def test_every_command_of_the_page_does_what_it_shows(workspace, call, prompted):
    """In one project, from `init` to `uninstall`."""
    assert len(commands()) > 35
    forget_project(workspace)
    manifest, ids = Path(workspace.path("rules", "manifest")), {}
    (Path(workspace.root) / "squads" / "backend").mkdir(parents=True)
    for command, shown in commands():
        program, *arguments = shlex.split(command)
        assert program == "limpet"
        if arguments[0] in ELSEWHERE:
            continue
        sound = manifest.read_bytes() if manifest.exists() else b""
        if arguments == ["rules", "check"]:
            manifest.parent.mkdir(exist_ok=True)
            manifest.write_bytes(sound + MISTAKES.encode())
        done = call(*(ids.get(argument, argument) for argument in arguments))
        if arguments == ["rules", "check"]:
            manifest.write_bytes(sound)
        if done.stdout.startswith("mem-"):
            ids[shown[0].strip()[-8:]] = done.stdout.strip()[-8:]
        found, wanted = (steady(text, workspace.root) for text in (done.stdout + done.stderr, "\n".join(shown)))
        assert is_shown(found, wanted), f"$ {command}\n{done.stdout}{done.stderr}"
        if arguments[0] == "init":
            prompted()
