"""The caller on record."""

from holdfast.operations.work.actor import author_of
from holdfast.work.documents.limits import STANDARD

from ..callers import PERSON


def test_an_author_has_the_configured_limits_too(workspace):
    """Those of the documents' state."""
    author = author_of(workspace, PERSON)
    assert (author.writer, author.limits) == ("person", STANDARD)
