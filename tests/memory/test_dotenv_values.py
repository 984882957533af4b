"""What ``.env`` holds is in no memory, however it is written (decision 24)."""

import os
from pathlib import Path

from ..conversation import write


def test_a_value_of_dotenv_is_written_nowhere(workspace, run):
    """Neither the files nor the index hold it: their bytes are searched."""
    value = "correct-horse-battery-" + "staple"
    write(os.path.join(workspace.root, ".env"), f"QUEUE_PASSPHRASE={value}\n")
    added = run("memory", "add", f"The queue opens with {value}, said the user", "--tag", value)
    assert added.returncode == 0, added.stderr
    run("memory", "search", "queue")
    files = [path for path in Path(workspace.home).rglob("*") if path.is_file()]
    assert [path for path in files if value.encode() in path.read_bytes()] == []
