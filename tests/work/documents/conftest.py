"""A project with documents and the state about them, worked on through the room's own functions."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.work.documents.evaluation import evaluate
from limpet.work.documents.rubrics import RubricAnswer, load_rubrics
from limpet.work.documents.scan import DocumentCandidate, write_candidates
from limpet.work.documents.survey import make_survey

NOW = 1_771_588_805.931  # 2026-02-20T12:00:05.931Z


class Project:
    """The files of a workspace; ``now`` is the moment at which actions happen."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.now = NOW

    def actor(self):
        return Actor("person", self.now, DEFAULTS["retention"])

    def status(self, key="architecture"):
        """How a document stands."""
        return next(one for one in make_survey(self.workspace).statuses if one.key == key)

    def put(self, path, text="x\n", moment=None):
        full = os.path.join(self.workspace.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        when = NOW - 1000 if moment is None else moment
        os.utime(full, (when, when))

    def get(self, path):
        with open(os.path.join(self.workspace.root, path), encoding="utf-8", newline="") as file:
            return file.read()

    def track(self, *keys):
        """Documents that exist, tracked in a manifest."""
        for key in keys:
            self.put(f"specs/{key}.md")
        found = [DocumentCandidate(key, f"specs/{key}.md", "found") for key in keys]
        write_candidates(self.workspace, found, self.actor())

    def evaluate(self, key, keep=False, **changes):
        """Everything answered well, but for ``changes``: id=(result, note)."""
        rubric = load_rubrics()[key]
        good = {item.id: ("no" if item.is_penalty else "yes", "") for item in rubric.items} | changes
        return self.answer(key, keep, **good)

    def answer(self, key, keep=False, **given):
        answers = {name: RubricAnswer(name, *said) for name, said in given.items()}
        return evaluate(self.workspace, key, answers, self.actor(), keep)


@pytest.fixture
def project(workspace):
    """An empty project."""
    return Project(workspace)


@pytest.fixture
def tracked(project):
    """Two documents, neither evaluated."""
    project.track("architecture", "features")
    return project
