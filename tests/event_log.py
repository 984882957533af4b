"""The event log as tests read it: strictly, so that a torn line makes the test fail."""

import json
from pathlib import Path


def logged(shared, kind=""):
    """The events of all writers, one log after another, whose kind begins like this."""
    logs = sorted(Path(shared, "events").glob("*.jsonl"))
    events = [json.loads(line) for log in logs for line in log.read_text(encoding="utf-8").splitlines()]
    return [event for event in events if event["kind"].startswith(kind)]
