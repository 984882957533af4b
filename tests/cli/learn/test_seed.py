"""The worked example of the Shaktra Intelligence System, through the commands: exactly its tables."""

import json
from difflib import ndiff
from pathlib import Path

import pytest
import yaml

from ...knowledge import ANTI_PATTERNS, seed
from ...knowledge import PRINCIPLES as FIRST
from ...work.writing import put

PRINCIPLES = "# What earlier stories taught.\n" + FIRST.replace("0.76", "0.76   # three stories")
# The four checks are the example's own; it prints what the others led to, but not the observations themselves.
OBSERVATIONS = """\
story_id: ST-TEST-001
observations:
  - {id: OB-001, agent: developer, phase: code, type: discovery, importance: 8, tags: [patterns],
     text: Dependency wiring must live outside all layers}
  - {id: OB-002, agent: developer, phase: code, type: discovery, importance: 5, tags: [naming],
     text: The user model has no display name yet}
  - id: OB-003
    agent: developer
    phase: code
    type: consistency-check
    importance: 8
    principle_id: PR-001
    relationship: reinforce
    text: "Email validation implemented in service layer via validate_email()
           before any repository interaction, exactly as PR-001 prescribes."
  - {id: OB-004, agent: developer, phase: code, type: consistency-check, importance: 8,
     principle_id: PR-002, relationship: reinforce, text: Domain exceptions as PR-002 prescribes.}
  - {id: OB-005, agent: sw-quality, phase: quality, type: quality-loop-finding, importance: 8, severity: P1,
     resolved: true, tags: [security], text: Security invariants must be verified with caplog-based tests}
  - {id: OB-006, agent: sw-quality, phase: quality, type: quality-loop-finding, importance: 7, severity: P2,
     resolved: false, tags: [api, layering], text: API route modules importing concrete repository classes directly}
  - {id: OB-007, agent: cr-analyzer, phase: review, type: quality-loop-finding, importance: 6, severity: P1,
     resolved: false, tags: [api, layering], text: API route module importing the concrete repository class directly}
  - {id: OB-008, agent: sw-quality, phase: quality, type: quality-loop-finding, importance: 7, severity: P1,
     resolved: false, tags: [api, errors],
     text: The handler was returning raw database errors directly in API responses, which leaks implementation details}
  - {id: OB-009, agent: developer, phase: tests, type: observation, importance: 6, tags: [workflow, coverage],
     text: Run the test coverage check after each file rather than at the end}
  - {id: OB-013, agent: sw-quality, phase: quality, type: consistency-check, importance: 8,
     principle_id: PR-001, relationship: reinforce, text: Invalid addresses never reach the repository.}
  - {id: OB-014, agent: sw-quality, phase: quality, type: consistency-check, importance: 8,
     principle_id: PR-002, relationship: reinforce, text: No generic exception crosses the service layer.}
"""


@pytest.fixture
def seeded(workspace):
    """The project with the memory and the observations of the example."""
    seed(workspace, principles=PRINCIPLES, anti_patterns=ANTI_PATTERNS.replace("[security, api]", "[api, errors]"))
    put(workspace, "stories/ST-TEST-001/observations.yml", OBSERVATIONS)
    return workspace


def stored(workspace, name, key):
    text = Path(workspace.path("knowledge", name)).read_text(encoding="utf-8")
    return {entry["id"]: entry for entry in yaml.safe_load(text)[key]}


def test_the_tables_come_out(seeded, run):
    """Principles, anti-patterns and procedures, before and after."""
    done = run("learn", "consolidate", "--json")
    assert done.returncode == 0, done.stderr
    changes = {each["id"]: (each["from"], each["to"]) for each in json.loads(done.stdout)["changes"]}
    moved = {"PR-001": (0.76, 0.92), "PR-002": (0.84, 1.0), "AP-001": (0.72, 0.8), "PC-001": (0.68, 0.76)}
    assert changes == moved | dict.fromkeys(("PR-003", "PR-004", "AP-002"), (None, 0.6))
    principles = stored(seeded, "principles.yml", "principles")
    failures = stored(seeded, "anti-patterns.yml", "anti_patterns")
    procedures = stored(seeded, "procedures.yml", "procedures")
    confidences = {id: entry["confidence"] for id, entry in principles.items()}
    assert confidences == {"PR-001": 0.92, "PR-002": 1.0, "PR-003": 0.6, "PR-004": 0.6}
    assert {principles[id]["text"] for id in ("PR-003", "PR-004")} == {
        "Security invariants must be verified with caplog-based tests",
        "Dependency wiring must live outside all layers",
    }
    assert failures["AP-002"]["failed_approach"] == "API route modules importing concrete repository classes directly"
    assert (failures["AP-002"]["severity"], len(failures["AP-002"]["evidence"])) == ("P1", 2)
    assert (procedures["PC-001"]["confidence"], procedures["PC-001"]["source_count"]) == (0.76, 4)
    assert principles["PR-003"]["roles"] == ["developer", "sw-engineer", "architect"]


def test_only_the_lines_that_differ_are_changed(seeded, run):
    """Comments and the spelling of what stays, and of what stands around it."""
    run("learn", "consolidate")
    text = Path(seeded.path("knowledge/principles.yml")).read_text(encoding="utf-8")
    gone = [
        line[2:].split(":")[0].strip() for line in ndiff(PRINCIPLES.splitlines(), text.splitlines()) if line[:2] == "- "
    ]
    assert gone == ["confidence", "source_count", "confidence", "source_count"]
    assert "confidence: 0.92   # three stories" in text


def test_what_moved_is_told_and_twice_changes_nothing(seeded, run):
    """A line for each entry, with the observations that moved it."""
    lines = run("learn", "consolidate").stdout.splitlines()
    assert (
        "PR-001  0.76 -> 0.92  reinforced by ST-TEST-001/OB-003 (developer), ST-TEST-001/OB-013 (sw-quality)" in lines
    )
    files = {path: path.read_bytes() for path in Path(seeded.path("knowledge")).iterdir()}
    assert run("learn", "consolidate").stdout == "Nothing new to learn.\n"
    assert {path: path.read_bytes() for path in Path(seeded.path("knowledge")).iterdir()} == files


def test_a_dry_run_writes_nothing_and_undo_gives_the_bytes_back(seeded, run):
    """As long as nobody changed them since."""
    dry = run("learn", "consolidate", "--dry-run").stdout
    assert Path(seeded.path("knowledge/principles.yml")).read_text(encoding="utf-8") == PRINCIPLES
    assert run("learn", "consolidate").stdout == dry
    assert run("learn", "consolidate", "--undo").stdout.startswith("Took back:\n  PR-001  0.76 -> 0.92")
    assert Path(seeded.path("knowledge/principles.yml")).read_text(encoding="utf-8") == PRINCIPLES
    assert run("learn", "consolidate", "--undo").stderr == "limpet: No consolidation to undo\n"
    told = [line.rpartition("  ")[2] for line in run("log").stdout.splitlines() if "gather" in line]
    assert told == ["lessons gathered", "gathering undone"]
    run("learn", "consolidate")
    with open(seeded.path("knowledge/principles.yml"), "a", encoding="utf-8") as file:
        file.write("# mine\n")
    done = run("learn", "consolidate", "--undo")
    assert (done.returncode, "Knowledge was changed since the last consolidation" in done.stderr) == (1, True)


def test_an_entry_is_explained_step_by_step(seeded, run):
    """With what was observed."""
    run("learn", "consolidate")
    lines = run("learn", "explain", "pr-001").stdout.splitlines()
    assert lines[0] == "PR-001  principle, active, confidence 0.92"
    assert lines[4:6] == [
        "0.76  start",
        "0.84  reinforce by ST-TEST-001/OB-003 (developer): Email validation implemented in service layer via"
        " validate_email() before any repository interaction, exactly as PR-001 prescribes.",
    ]
    assert json.loads(run("learn", "explain", "PR-001", "--json").stdout)["evidence"][1]["after"] == 0.92
    assert run("learn", "explain", "PR-099").stderr.startswith("limpet: No entry with this ID: PR-099")
