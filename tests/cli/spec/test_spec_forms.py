"""Both forms of chat-spec's state as their authors write them, read and worked on by ``limpet work spec``."""

import os

import pytest

from ...chat_spec import FIRST
from .test_spec import get, put, state

DESIGN_DETAIL = """\
# .chat-spec/artifacts/architecture.yaml
artifact: architecture
last_evaluated: 2025-02-20

checklist:
  - id: components_listed
    question: "Lists all major system components?"
    weight: 2
    result: yes
  - id: relationships_shown
    question: "Describes how components communicate?"
    weight: 2
    result: no
    note: "Only mentions API gateway, missing queue and cache connections"
  - id: data_flow
    question: "Shows how data flows through the system?"
    weight: 1
    result: no

backlog:
  - item: "Add data flow diagram"
    priority: high
    found: 2025-02-20
  - item: "Document cache invalidation strategy"
    priority: low
    found: 2025-02-20

wip: null   # or a note about in-progress work
"""
FINAL_DRAFTS = """score: 0
    max_score: 5
    status: draft
    last_evaluated: null
  api-docs: {path: null, score: 0, max_score: 5, status: missing, last_evaluated: null}"""
FINAL = (
    FIRST.replace('protocol: "0.1"', 'protocol_version: "0.1"\n  created: 2025-02-18')
    .replace("artifacts:", "config:\n  artifact_directory: docs/specs\n  auto_evaluate: false\n\nartifacts:", 1)
    .replace("score: 2\n    max_score: 5\n    last_evaluated: 2025-02-18\n    status: stale", FINAL_DRAFTS)
)
FINAL_DETAIL = """\
artifact: architecture
type: architecture
last_evaluated: 2025-02-20

checklist:
  - id: components
    result: yes
  - id: relationships
    result: no
    note: "The queue is missing"
  - id: persistence
    result: n/a

backlog: []
wip: "Section 3 is half done"
"""


@pytest.fixture
def given(workspace):
    """Puts a manifest and the detail of ``architecture`` into the project, beside two documents of long ago."""

    def put_state(manifest, detail):
        put(workspace, ".limpet/manifest.yaml", manifest)
        put(workspace, ".limpet/artifacts/architecture.yaml", detail)
        for name in ("architecture", "features"):
            put(workspace, f"specs/{name}.md", "All the parts.\n")
            os.utime(os.path.join(workspace.root, f"specs/{name}.md"), (1.7e9, 1.7e9))
        return workspace

    return put_state


def test_the_form_of_the_design_is_read_whole(given, spec):
    """protocol, no config; questions, weights, notes and days in the detail, which is scored by them."""
    given(FIRST, DESIGN_DETAIL)
    found = spec("status", "architecture", "--json")
    assert (found["project"], found["protocol_version"], found["auto_evaluate"]) == ("my-project", "0.1", True)
    assert found["artifact_directory"] == "specs"
    documents = {one["key"]: (one["state"], one["score"], one["last_evaluated"]) for one in found["documents"]}
    assert documents == {"architecture": ("current", 3, "2025-02-20"), "features": ("stale", 2, "2025-02-18")}
    assert [item["priority"] for item in found["backlog"]] == ["high", "medium"] and len(found["log"]) == 2
    evaluation, backlog = found["document"]["evaluation"], found["document"]["backlog"]
    assert [(one["id"], one["weight"], one["result"]) for one in evaluation["checklist"]] == [
        ("components_listed", 2, "yes"),
        ("relationships_shown", 2, "no"),
        ("data_flow", 1, "no"),
    ]
    assert evaluation["checklist"][1]["question"] == "Describes how components communicate?"
    assert evaluation["checklist"][1]["note"].startswith("Only mentions API gateway")
    assert (evaluation["points"], evaluation["most"], evaluation["level"]) == (2, 5, 3)
    assert evaluation["others"] == []
    assert [(item["item"], item["found"]) for item in backlog] == [
        ("Add data flow diagram", "2025-02-20"),
        ("Document cache invalidation strategy", "2025-02-20"),
    ]
    assert found["problems"] == evaluation["problems"] == []


def test_the_form_of_the_protocol_is_read_whole(given, spec):
    """protocol_version, config, drafts, paths that are null; answers by id, n/a, and work in progress."""
    given(FINAL, FINAL_DETAIL)
    found = spec("status", "architecture", "--json")
    assert (found["artifact_directory"], found["auto_evaluate"]) == ("docs/specs", False)
    states = {one["key"]: (one["state"], one["score"]) for one in found["documents"]}
    assert states == {"architecture": ("wip", 3), "features": ("draft", 0), "api-docs": ("missing", 0)}
    answers = {one["id"]: (one["result"], one["note"]) for one in found["document"]["evaluation"]["checklist"]}
    assert answers["relationships"] == ("no", "The queue is missing") and answers["persistence"] == ("n/a", None)
    assert state(spec)[2] == "Section 3 is half done"
    assert "auto_evaluate is off" in spec("status")


def test_a_question_that_cannot_count_is_told_and_the_others_do(given, spec):
    """Without a weight, or with the id of another one; where none can, the type's own questions count."""
    broken = DESIGN_DETAIL.replace("weight: 1", "weight: heavy")
    given(FIRST, broken)
    found = spec("status", "architecture", "--json")["document"]["evaluation"]
    assert [one["id"] for one in found["checklist"]] == ["components_listed", "relationships_shown"]
    assert "question data_flow: weight 'heavy' must be a whole number from 1 to 9" in found["problems"][0]
    assert "question data_flow: weight 'heavy'" in spec("evaluate", "architecture", "--answer", "components_listed=yes")
    given(FIRST, broken.replace("weight: 2", "weight: 0"))
    found = spec("status", "architecture", "--json")["document"]["evaluation"]
    assert "components" in [one["id"] for one in found["checklist"]] and len(found["problems"]) == 3


@pytest.mark.parametrize(
    ("manifest", "detail", "answered"), [(FIRST, DESIGN_DETAIL, "data_flow"), (FINAL, FINAL_DETAIL, "current")]
)
def test_what_commands_do_not_change_keeps_its_bytes_in_both_forms(given, spec, manifest, detail, answered):
    """Comments, order, blank lines, quoting, the other form's keys."""
    workspace = given(manifest, detail)
    spec("backlog", "architecture", "One more")
    spec("backlog", "architecture", "--done", "One more")
    assert get(workspace, ".limpet/artifacts/architecture.yaml") == detail
    assert [line for line in manifest.splitlines() if line not in get(workspace, ".limpet/manifest.yaml")] == []
    spec("evaluate", "architecture", "--keep", "--answer", f"{answered}=no")
    now = get(workspace, ".limpet/artifacts/architecture.yaml")
    lost = [
        line for line in detail.splitlines() if line not in now and not line.startswith(("wip: null", "last_evaluated"))
    ]
    assert lost == []
