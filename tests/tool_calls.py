"""A host whose agent calls tools, with Claude Code's form of payload and answer."""

import json

from limpet.operations.mirror import refresh_mirror

from .conversation import write
from .hook_host import Host
from .places import private_path

STORY = """---
id: S-1
title: Login
agent: dev
files:
  - src/login.py
---
# Login

## Tasks
- [ ] Write it

## Dev Agent Record
None yet.

## QA Results
None yet.
"""


class Client(Host):
    """A host whose agent calls tools. ``more``: what each payload holds besides."""

    def __init__(self, workspace):
        super().__init__(workspace)
        self.more = {}

    def call(self, tool, process=None, **given):
        """(decision, reason) of a tool call, ("", "") where the hook says nothing."""
        payload = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{next(self.numbers)}"}
        answer = self.send("PreToolUse", process=process, **{"permission_mode": "default", **payload, **self.more})
        assert (answer.code, answer.err) == (0, b"")
        if not answer.out:
            return "", ""
        said = json.loads(answer.out)["hookSpecificOutput"]
        assert set(said) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
        return said["permissionDecision"], said["permissionDecisionReason"]

    def bash(self, command, **more):
        """The same of a command."""
        return self.call("Bash", command=command, **more)


def at_work(workspace):
    """A client whose project has dev active, with a story in force."""
    write(workspace.path("stories", "S-1", "story.md"), STORY)
    write(private_path(workspace, "session.yaml"), "current_agent: dev\ntask: {id: S-1, title: Login}\n")
    refresh_mirror(workspace)
    return Client(workspace)
