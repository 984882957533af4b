"""The parser of shell texts: ``shfmt`` of the package shfmt-py, the one program that the guard itself runs."""

from __future__ import annotations

import os
import sys

from holdfast.ground.errors import HoldfastError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tree = dict[str, Any]

# Seconds that it may take.
PATIENCE = 0.4
LARGEST = 1_000_000
# A tree has some 60 times the size of its text; a larger one would take longer to read than a command may.
LARGEST_TREE = 16_000_000
_NAME = "shfmt.exe" if os.name == "nt" else "shfmt"


def parse(text: str, project: str = "") -> Tree:
    """Return shfmt's tree of a text in the language of bash.

    ``project``: the project's folder, absolute; no program within it is run.

    Raises HoldfastError where shfmt is missing, refuses the text or takes too long.
    """
    import json
    import subprocess

    given = text.encode("utf-8", "surrogateescape")
    if len(given) > LARGEST:
        raise HoldfastError("The command is too long to be parsed")
    command = [_find(project), "--to-json", "-ln", "bash"]
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError):
        raise HoldfastError("shfmt cannot run or takes too long", command[0]) from None
    if done.returncode or len(done.stdout) > LARGEST_TREE:
        raise HoldfastError("shfmt cannot parse the command")
    tree: Tree = json.loads(done.stdout)
    return tree


def _find(project: str) -> str:
    """Return the path of shfmt: beside the interpreter, in the folder of a package's scripts, or on PATH."""
    for folder in _folders(project):
        path = os.path.join(folder, _NAME)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise HoldfastError("shfmt is missing", hint="Run: pip install shfmt-py")


def _folders(project: str) -> list[str]:
    # Where the interpreter of a virtual environment stands, and where ``pip install --user`` puts scripts.
    own = os.path.dirname(sys.executable)
    beside = [own, os.path.join(own, "Scripts"), os.path.join(os.path.dirname(own), "bin")]
    user = os.path.join(os.path.expanduser("~"), ".local", "bin")
    root = os.path.realpath(project) if project else ""
    elsewhere = [user, *os.environ.get("PATH", "").split(os.pathsep)]
    return [*beside, *(folder for folder in elsewhere if os.path.isabs(folder) and not _is_in(folder, root))]


def _is_in(folder: str, root: str) -> bool:
    return bool(root) and (os.path.realpath(folder) + os.sep).startswith(root + os.sep)
