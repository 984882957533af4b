"""Projects of the five tools whose files can be imported, in their true shape, and what of a project's bytes counts."""

import os
import shutil
from pathlib import Path

ORIGINALS = Path(__file__).parent / "fixtures" / "originals"
KINDS = {
    "carl": "carl",
    "carl2": "carl",
    "synapse": "synapse",
    "chati": "chati",
    "shaktra": "shaktra",
    "chat-spec": "chat-spec",
}
"""Name of a project -> the kind of its import."""

# What tells of an import, and what is made of other files.
BESIDE = ("events", "locks", "imports", "metrics.jsonl")


def bring(workspace, name):
    shutil.copytree(ORIGINALS / name, workspace.root, dirs_exist_ok=True)


def files_below(folder):
    found = {}
    for top, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each != ".git"]
        for each in names:
            path = os.path.join(top, each)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def seen(workspace):
    """The bytes of all files of the project, and of its private ones."""
    private = files_below(workspace.data)
    kept = {path: raw for path, raw in private.items() if not set(path.split(os.sep)) & {*BESIDE}}
    return files_below(workspace.root), kept


def originals_of(workspace, name):
    known = files_below(ORIGINALS / name)
    now = files_below(workspace.root)
    return {path: now.get(path) for path in known}
