"""A client with a conversation in its window, as the processes see it: one process, which fires the hooks and runs the
agent's commands. The tests' own process is the client, so that it is there to be looked up."""

import json
import os

from limpet.ground.processes import Process, read_process
from limpet.hosts import surroundings

from ..commands import run_command
from ..hook_host import run_hook

# Client -> its process, its names of a start, a prompt, a call and an end, and the variables of its hooks and of its
# agent's commands; {} stands for the conversation.
CLIENTS = {
    "claude-code": (
        ("claude",),
        ("SessionStart", "UserPromptSubmit", "PreToolUse", "SessionEnd"),
        {
            "CLAUDECODE": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_PID": "{pid}",
        },
        {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "{}", "CLAUDE_PID": "{pid}", "CLAUDE_CODE_EXECPATH": "/x"},
    ),
    "codex-cli": (
        ("codex",),
        ("SessionStart", "UserPromptSubmit", "PreToolUse", "SessionEnd"),
        {},
        {"CODEX_THREAD_ID": "{}", "CODEX_CI": "1"},
    ),
    "copilot-cli": (
        ("copilot",),
        ("", "UserPromptSubmit", "PreToolUse", "SessionEnd"),
        {"COPILOT_CLI": "1"},
        {"COPILOT_CLI": "1", "COPILOT_AGENT_SESSION_ID": "{}"},
    ),
    "gemini-cli": (
        ("gemini",),
        ("", "BeforeAgent", "BeforeTool", "SessionEnd"),
        {"GEMINI_SESSION_ID": "{}"},
        {"GEMINI_CLI": "1"},
    ),
}


class Window:
    """``beyond``: what is above the client."""

    def __init__(self, workspace, patch, client="claude-code", pid=0):
        self.workspace, self.client, self.patch = workspace, client, patch
        self.words, names, self.of_hooks, self.of_commands = CLIENTS[client]
        self.start_name, self.prompt_name, self.call_name, self.end_name = names
        self.process = Process(pid or os.getpid(), 2, self.words, read_process(pid or os.getpid()).started)
        self.beyond = ()
        self.count = 0

    def hook(self, name, session, **payload):
        """What the hook answers to an event, as data."""
        payload = {"session_id": session, "cwd": self.workspace.root, "hook_event_name": name, **payload}
        self._below(Process(900002, self.process.pid, ("sh",), self.process.started + 5))
        env = self._around(self.of_hooks, session)
        done = run_hook(json.dumps(payload).encode(), self.client, name, cwd=self.workspace.root, env=env)
        assert (done.code, done.err) == (0, b"")
        return json.loads(done.out or b"{}")

    def start(self, session="s", source="startup"):
        return self.hook(self.start_name, session, source=source) if self.start_name else {}

    def prompt(self, text, session="s"):
        self.count += 1
        named = {"prompt_id": f"p{self.count}"}
        if self.client == "copilot-cli":  # by which its payloads are known
            named = {"timestamp": f"2026-11-28T10:00:{self.count:02}.000Z"}
        return self.hook(self.prompt_name, session, prompt=text, **named)

    def call(self, command, session="s", tool="Bash", **payload):
        """(decision, reason) of a call of the agent's."""
        said = self.hook(self.call_name, session, tool_name=tool, tool_input={"command": command}, **payload)
        said = said.get("hookSpecificOutput", said)
        return said.get("permissionDecision", said.get("decision", "")), json.dumps(said)

    def end(self, session="s", reason="clear"):
        return self.hook(self.end_name, session, reason=reason)

    def run(self, *words, session="s", given="", between=(), above=None, **changes):
        """A command of the agent's; ``between``: processes between its shell and the command; ``above``: all that is to
        be seen above the command, where that is not the client; ``changes``: to its variables, None takes one away."""
        if above is None:
            self._below(*between, Process(900001, self.process.pid, ("bash", "-c"), self.process.started + 9))
        else:
            self._above(above)
        env = {**self._around(self.of_commands, session), **changes}
        env = {name: value for name, value in env.items() if value is not None}
        return run_command(words, self.workspace.root, env, given)

    def _around(self, variables, session):
        known = {name: value.format(session, pid=self.process.pid) for name, value in variables.items()}
        bare = {name: value for name, value in os.environ.items() if name not in surroundings.variables_of_hosts()}
        return {**bare, **known}

    def _below(self, *processes):
        self._above((*processes, self.process, *self.beyond))

    def _above(self, processes):
        self.patch.setattr(surroundings, "read_ancestors", lambda: tuple(processes))
        self.patch.setattr("limpet.cli.caller.read_ancestors", lambda: tuple(processes), raising=False)
