"""A project's knowledge as files of the stores, as the worked example of the Shaktra Intelligence System begins; and
the story for which it is briefed."""

import os

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.storage.durable import make_folder
from limpet.operations.learning.consolidate import CONSOLIDATED, OBSERVED, digest_of_entry

PRINCIPLES = """\
principles:
  - id: PR-001
    text: Always validate email format in the service layer before passing to the repository
    categories: [correctness]
    guidance:
      - Use a standard email regex, do not rely on database constraints alone
      - Return a clear validation error (422) when format is invalid
    confidence: 0.76
    source_count: 3
    tags: [validation, email]
    roles: [developer, sw-engineer]
    scope: project
    status: active
    source: ST-000
    created: 2026-01-01
  - id: PR-002
    text: Service layer must raise domain-specific exceptions, never generic Python exceptions
    categories: [correctness]
    guidance:
      - Define custom exception classes for each business error
      - Catch repository exceptions and re-raise as domain exceptions
    confidence: 0.84
    source_count: 4
    tags: [exceptions, services]
    roles: [developer, sw-engineer, sw-quality]
    scope: project
    status: active
    source: ST-000
    created: 2026-01-01
"""
ANTI_PATTERNS = """\
anti_patterns:
  - id: AP-001
    failed_approach: Returning raw database errors directly in API responses leaks implementation details
    failure_mode: A client sees table names
    severity: P1
    recommended_approach: Catch in service layer, map to domain errors
    trigger_patterns: [database error, endpoint]
    confidence: 0.72
    tags: [security, api]
    roles: [developer, sw-quality]
    scope: project
    status: active
    source: ST-000
    created: 2026-01-01
"""
PROCEDURES = """\
procedures:
  - id: PC-001
    text: Run test coverage check after each file rather than only at the end
    confidence: 0.68
    source_count: 3
    tags: [workflow]
    roles: [developer]
    applies_to: tdd
    scope: project
    status: active
    source: ST-000
    created: 2026-01-01
"""
TITLE = "Implement the user registration endpoint"
STORY = (
    *("S-1", TITLE, "--criterion", "An invalid email is answered with 422"),
    *("--file", "src/services/user_service.py (new)", "--file", "src/exceptions.py (new)", "--agent", "dev"),
)


def seed(workspace, principles=PRINCIPLES, anti_patterns=ANTI_PATTERNS, procedures=PROCEDURES):
    """Write the stores, in the main working tree."""
    stores = {"principles": principles, "anti-patterns": anti_patterns, "procedures": procedures}
    for name, text in stores.items():
        write_store(workspace, name, text)


def write_store(workspace, name, text):
    """Write one of them."""
    folder = os.path.join(workspace.home, "knowledge")
    make_folder(folder)
    with open(os.path.join(folder, f"{name}.yml"), "w", encoding="utf-8") as file:
        file.write(text)


def principle(number, text, confidence=0.6, **fields):
    """A principle as the file has it; fields as YAML."""
    more = "".join(f"    {key}: {value}\n" for key, value in fields.items())
    return f"  - id: PR-{number:03}\n    text: {text}\n    confidence: {confidence}\n    status: active\n{more}"


def learned_here(workspace, *entries):
    """Entries of the stores were made on this machine, of what was observed here, as the log has it."""
    actor = Actor("test", 0.0, DEFAULTS["retention"])
    for entry in entries:
        for piece in entry.evidence:
            record(workspace, actor, OBSERVED, {"source": piece.source, "observation": piece.observation})
    record(workspace, actor, CONSOLIDATED, {"changes": [], "says": {one.id: digest_of_entry(one) for one in entries}})
