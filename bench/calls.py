"""How many modules of ours an event or a command loads, and how many calls of our functions it makes: the length of a
path, the same on every machine. Run it with the Python that Limpet is installed in.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from hook_cases import BARE, COMMAND, HOOK
from hook_projects import make_repository, talk_in
from nobody import become_nobody, trusted_project

from limpet.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.claude_code.events import PROJECT
from limpet.hosts.commands.launcher import PACKAGE_ROOT
from limpet.hosts.commands.upkeep import compile_package, write_launcher
from limpet.operations.mirror import refresh_mirror

# Put before one of these: counts the calls of functions whose code lies in our package, until the process ends.
COUNTING = """
import atexit, os, sys
own, counted, leave = sys.argv[1] + os.sep + "limpet" + os.sep, 0, os._exit
def count(frame, event, argument):
    global counted
    if event == "call" and frame.f_code.co_filename.startswith(own):
        counted += 1
def tell():
    sys.setprofile(None)
    modules = sum(name.split(".")[0] == "limpet" for name in sys.modules)
    sys.stderr.write(f"\\nCOUNTED {modules} {counted}\\n")
    sys.stderr.flush()
def tell_and_leave(code):
    tell()
    leave(code)
os._exit = tell_and_leave
atexit.register(tell)
sys.setprofile(count)
"""
COUNTED = re.compile(rb"^COUNTED (\d+) (\d+)$", re.MULTILINE)
MEMORIES = ("Invoices are kept in PostgreSQL", "Invoices are numbered by year")
ASKING = "How are invoices kept and numbered in PostgreSQL by year?"
WORKFLOW = """\
steps:
  - {agent: dev, state: build, mode: build, criteria: [It works]}
  - {agent: devops, state: deploy, mode: deploy}
"""


@dataclass
class Process:
    """A process to count: a script with its words and stdin, where it runs, and what must and must not come back."""

    script: str
    words: tuple[str, ...]
    root: str
    stdin: str = ""
    answer: str = ""
    never: str = "permissionDecision"


class Talk:
    """A project in a git repository, as ``limpet init`` leaves it, and a conversation in it."""

    def __init__(self, root: str) -> None:
        self.root = root
        write_atomic(os.path.join(self.root, "src", "app.py"), "a = 1\n")
        make_repository(self.root)
        self.play(self.command("init", "--yes", "--host", "claude-code", "--lean"))
        self.workspace: Workspace = workspace_at(self.root)
        trusted_project(self.root, time.time())
        refresh_mirror(self.workspace)
        self.events = 0

    def command(self, *words: str, stdin: str = "") -> Process:
        """A command of ours."""
        return Process(COMMAND, words, self.root, stdin)

    def event(self, name: str, answer: str = "", **about: object) -> Process:
        """An event of the conversation."""
        self.events += 1
        given = {"session_id": talk_in(self.root), "cwd": self.root, "hook_event_name": name, **about}
        return Process(HOOK, ("claude-code", name), self.root, json.dumps(given), answer)

    def prompt(self, text: str, answer: str = "") -> Process:
        """A prompt."""
        return self.event("UserPromptSubmit", answer, prompt=text, prompt_id=f"prompt-{self.events}")

    def call(self, command: str) -> Process:
        """A shell command that the agent wants to run."""
        about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"call-{self.events}"}
        return self.event("PreToolUse", permission_mode="default", **about)

    def play(self, *processes: Process) -> None:
        """Let these happen, and their files grow old enough to be believed."""
        for process in processes:
            _run(process.script, process)
        time.sleep(2 * STAMP_GRAIN_NS / 1e9)

    def begun(self) -> Talk:
        """This, with a conversation under way."""
        self.play(self.event("SessionStart", source="startup"), self.prompt("Please look at src/app.py"))
        return self


def prompt(talk: Talk) -> Process:
    """A prompt in the midst of a conversation, for which there is nothing new."""
    talk.begun()
    talk.play(talk.prompt("Go on with src/app.py"))
    return talk.prompt("Please rename the variable, and say why")


def push(talk: Talk) -> Process:
    """A tool call that is refused."""
    talk.play(talk.command("work", "agent", "activate", "dev"))
    talk.begun()
    refused = talk.call("git push")
    refused.answer, refused.never = "permissionDecision", "no such words"
    return refused


def memory_write(talk: Talk) -> Process:
    """A sentence for something that was said."""
    from limpet.memory.candidates import Candidate, save, write_open

    said = Candidate(id="queue0", at=time.time(), session="bench", type="decision", quote="Let's take PostgreSQL.")
    waiting = {"id": said.id, "session": said.session, "at": said.at, "agent": "", "role": "user", "near": []}
    save(talk.workspace.shared, [said])
    write_open(talk.workspace.shared, [{**waiting, "quote": said.quote, "before": "Redis or PostgreSQL?"}])
    return talk.command("memory", "write", "queue0: The job queue of the shop is in PostgreSQL.")


def memory_add(talk: Talk) -> Process:
    """A memory."""
    return talk.command("memory", "add", MEMORIES[0], "--type", "decision")


def story_done(talk: Talk) -> Process:
    """A story of one criterion."""
    talk.play(
        talk.command("work", "story", "add", "Export", "--criterion", "A file"),
        talk.command("work", "story", "start", "S-1"),
    )
    return talk.command("work", "story", "done", "S-1", "--shown", "1: src/app.py")


def work_finish(talk: Talk) -> Process:
    """A step of a workflow, with one document."""
    write_atomic(talk.workspace.path("workflows", "hotfix.yaml"), WORKFLOW)
    talk.play(talk.command("config", "set", "work.checks.tests", '"true"', "--yes"))
    talk.play(talk.command("work", "start", "hotfix"))
    write_atomic(os.path.join(talk.root, "src", "export.py"), "b = 2\n")
    form = subprocess.run(
        (sys.executable, "-c", COMMAND, PACKAGE_ROOT, "work", "finish"), cwd=talk.root, capture_output=True, text=True
    ).stdout
    filled = form.replace("## Summary\n", "## Summary\n\nIt is done.\n")
    filled = filled.replace("- [ ] 1. It works", "- [x] 1. It works: src/export.py")
    return talk.command("work", "finish", "-", stdin=filled)


CALLS: dict[str, Callable[[Talk], Process]] = {
    "a prompt": prompt,
    "git push as dev": push,
    "memory write of a candidate": memory_write,
    "memory add": memory_add,
    "story done, one criterion": story_done,
    "work finish": work_finish,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as folder:
        os.environ.update(HOME=folder, GIT_CONFIG_NOSYSTEM="1")
        become_nobody(folder)
        compile_package()
        write_launcher()
        figures = {name: _count(make(Talk(os.path.join(folder, name)))) for name, make in CALLS.items()}
    if options.json:
        print(json.dumps(figures, indent=1))
        return 0
    print(f"{'':36}{'modules':>10}{'calls':>10}")
    for name, (modules, calls) in figures.items():
        print(f"{name:36}{modules:>10,}{calls:>10,}")
    return 0


def _count(process: Process) -> tuple[int, int]:
    """Modules and calls."""
    found = COUNTED.search(_run(COUNTING + process.script, process))
    if found is None:
        sys.exit(f"{' '.join(process.words)}: nothing was counted")
    return int(found[1]), int(found[2])


def _run(script: str, process: Process) -> bytes:
    """Run a process that must do what it is measured for, and return its stderr."""
    start = BARE if process.script == HOOK else BARE[:1]
    environment = {**os.environ, PROJECT: process.root}  # as the client does
    done = subprocess.run(
        (*start, "-c", script, PACKAGE_ROOT, *process.words),
        input=process.stdin.encode(),
        capture_output=True,
        cwd=process.root,
        env=environment,
    )
    out = done.stdout.decode()
    if done.returncode or process.answer not in out or process.never in out:
        sys.exit(f"{' '.join(process.words)}: exit {done.returncode}\n{out}{done.stderr.decode()}")
    return done.stderr


if __name__ == "__main__":
    sys.exit(main())
