"""A host's command that asks a model, as tests have it: a small program that notes how it was asked, and answers as it
was told to."""

import json
import os
import sys
from pathlib import Path

PROGRAM = """#!{python}
import json, os, runpy, sys
given = sys.stdin.buffer.read().decode()
here = os.path.dirname(os.path.abspath(__file__))
about = {{"words": sys.argv[1:], "given": given, "folder": os.getcwd(), "around": dict(os.environ)}}
with open(os.path.join(here, "asked.jsonl"), "a") as file:
    file.write(json.dumps(about) + "\\n")
exec(open(os.path.join(here, "answer.py")).read())
"""


class Model:
    """The command, in a folder of its own; ``path`` is what the host's variable names."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.path = str(self.folder / "claude")
        Path(self.path).write_text(PROGRAM.format(python=sys.executable))
        os.chmod(self.path, 0o755)
        self.answers([])

    def answers(self, items, cost=0.0012):
        """It answers well, with these items."""
        self.says(json.dumps({"items": items}), cost)

    def says(self, text, cost=0.0012, **more):
        """It answers with this text."""
        usage = {"input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 50}
        result = {"type": "result", "is_error": False, "result": text, "usage": usage, "total_cost_usd": cost, **more}
        self.does(f"print({json.dumps(result)!r})")

    def does(self, code):
        """It runs this code in place of an answer."""
        (self.folder / "answer.py").write_text(code)

    @property
    def asked(self):
        """How it was asked, each time."""
        path = self.folder / "asked.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def is_gone(number):
    """Whether the process has ended, though nobody may have asked how."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{number}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"
