"""``limpet work spec``, and a project with documents."""

import pytest

from .test_spec import ANSWERS, by_spec, put


@pytest.fixture
def spec(call):
    return by_spec(call)


@pytest.fixture
def project(workspace, spec):
    """A scanned project with one document, and a file of answers about it."""
    put(workspace, "docs/architecture.md", "# Architecture\n")
    put(workspace, "answers.yaml", ANSWERS)
    spec("scan", "--write")
    return workspace
