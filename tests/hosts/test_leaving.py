"""Leaving the session from the command line."""

import json

from limpet.ground.clock import iso
from limpet.hosts.leaving import leave_session
from limpet.memory.candidates import read_candidate_files
from limpet.operations.work.lock import resume_project
from limpet.work.session import new_session, write_session

from ..conversation import write
from ..operations.callers import NOW, opened


def test_the_lock_is_lifted_and_the_conversation_captured(workspace, tmp_path):
    """By the second process, which is waited for; without a lock there is nothing to leave."""
    done = leave_session(opened(workspace))
    assert (done.changed, done.kept) == (False, False)
    path = str(tmp_path / "talk.jsonl")
    message = {"role": "user", "content": "Let's go with PostgreSQL for the job queue."}
    write(path, json.dumps({"type": "user", "uuid": "u1", "timestamp": iso(NOW), "message": message}) + "\n")
    state = new_session("one", "claude-code", workspace.root, NOW)
    write_session(workspace, {**state, "transcript": path})
    resume_project(opened(workspace))
    done = leave_session(opened(workspace))
    assert (done.changed, done.kept) == (True, True)
    assert [one.quote for one in read_candidate_files(workspace.shared)] == [
        "Let's go with PostgreSQL for the job queue."
    ]
