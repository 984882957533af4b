"""Who writes in tests, and how often files are opened."""

import os
from contextlib import contextmanager
from unittest.mock import patch

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.ground.storage.json_lines import read_objects
from limpet.work import markdown_file as keeping
from limpet.work.handoff_store import Bounds
from limpet.work.project import ARCHIVE

from ..event_log import logged

ACTOR = Actor(writer="test", now=1.7e9, retention=DEFAULTS["retention"])
BOUNDS = Bounds(threshold=95.0, first_lines=150, second_lines=500)


def put(workspace, path, text):
    """Write a file below ``.limpet``, or the session, as an editor does; its full path."""
    full = _place(workspace, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
    return full


def content(workspace, path):
    """The file's bytes as text."""
    with open(_place(workspace, path), encoding="utf-8", newline="") as file:
        return file.read()


def archived(workspace, name):
    """The items of this list that left ``session.yaml``, each once."""
    found = {}
    for entry in read_objects(workspace.kept(*ARCHIVE)):
        if entry["list"] == name:
            found[entry["item"].get("id") or str(entry["item"])] = entry["item"]
    return list(found.values())


def _place(workspace, path):
    return workspace.kept(path) if path == "session.yaml" else workspace.path(*path.split("/"))


def events(workspace):
    """(kind, data) of the audit log."""
    return [(event["kind"], event["data"]) for event in logged(workspace.shared)]


@contextmanager
def opened():
    """The paths of the documents that are read meanwhile."""
    paths = []
    real = keeping.read_document
    with patch.object(keeping, "read_document", lambda path, where: paths.append(path) or real(path, where)):
        yield paths
