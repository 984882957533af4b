"""A disk that is full, and state that cannot be written or must not be."""

import json
import sys
from pathlib import Path

import pytest

from ..conversation import write
from ..hook_host import POSIX, notes, rule_lines

FULL_DISK = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execvp(sys.argv[2], sys.argv[2:])
"""


def full_disk(room):
    """How a process is started that may not make any file larger than ``room`` bytes."""
    return {"prefix": [sys.executable, "-c", FULL_DISK, str(room)]}


@POSIX
@pytest.mark.parametrize("room", [0, 1, 100, 700])
def test_a_full_disk_costs_no_rule_and_leaves_no_torn_file(host, room):
    """What cannot be written whole is not there at all; drafts are taken away again."""
    for _ in range(3):
        answer = host.prompt("the endpoint", process=full_disk(room))
        assert rule_lines(answer, "API") == ["Version it."]
        assert notes(answer)[0] == "cannot save the conversation's state: rules may be sent twice"
    files = [path for path in Path(host.workspace.home).rglob("*") if path.is_file()]
    assert [path.name for path in files if path.suffix == ".tmp"] == []
    for path in files:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
    assert rule_lines(host.prompt("the endpoint", prompt_id="later"), "API") == ["Version it."]


@POSIX
def test_rules_are_checked_on_a_full_disk(host, check):
    """It writes nothing that it could not do without."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=Version it.\nno divider\n")
    assert check(**full_disk(0)) == [".limpet/rules/api:2: no = in 'no divider'; the line is ignored"]
