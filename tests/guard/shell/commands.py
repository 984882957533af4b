"""Shell texts understood with the real parser, for tests."""

from __future__ import annotations

import os

from limpet.guard.acts import acts_of
from limpet.guard.shell.understand import parse_shell, understand

HARMLESS = os.path.join(os.path.dirname(__file__), "harmless.txt")
# Kinds of act that a rule of authority or a mode may forbid.
FORBIDDEN = frozenset(("push", "pull-request", "merge-request", "release", "deploy", "destructive", "remote-api"))


def read(text, shell="posix"):
    """What a text would do."""
    return understand(text, parse_shell, shell)


def opaque(text, shell="posix"):
    """Whether a text may change files that it does not name."""
    understood = read(text, shell)
    return not understood.clear or any(act.is_opaque for act in acts_of(understood))


def words(text, shell="posix"):
    """The words of the commands that a text would run."""
    return [command.words for command in read(text, shell).commands]


def acts(text, shell="posix"):
    """Kind and target of what a text would do."""
    return [(act.kind, act.target) for act in acts_of(read(text, shell))]


def kinds(text, shell="posix"):
    """The kinds of what a text would do."""
    return {kind for kind, _target in acts(text, shell)}
