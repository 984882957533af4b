"""chat-spec by its tables: every row of "Size budget" and "Summary of decisions" in a test that names it, by
``limpet work spec``."""

import json
import os

import pytest

from limpet.ground.text.tokens import estimate_tokens
from limpet.work.documents.rubrics import load_rubrics

from .test_spec import get, put, state

KB = 1024


@pytest.fixture
def full(workspace, spec):
    """Tracks and evaluates so many documents, each with two problems, four notes and lines in the log."""

    def fill(count):
        kinds = list(load_rubrics())
        for number in range(count):
            kind = kinds[number % len(kinds)]
            key = kind if number < len(kinds) else f"{kind}-{number // len(kinds) + 1}"
            put(workspace, f"specs/{key}.md", "x\n")
            put(workspace, "answers.json", json.dumps(well_answered(kind)))
            if number == 0:
                spec("scan", "--write")
            where = ("--path", f"specs/{key}.md", "--type", kind, "--answers", "answers.json")
            spec("evaluate", key, *where)
            for problem in ("Say by whom the cache is cleared, and when", "Add a diagram of how data gets in"):
                spec("backlog", key, problem)
        return workspace

    return fill


def detail_sizes(workspace):
    folder = workspace.path("artifacts")
    return [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)]


def well_answered(kind):
    said = {item.id: "no" if item.is_penalty else "yes" for item in load_rubrics()[kind].items}
    missing = list(said)[:4]
    return said | {name: {"result": "no", "note": "Only mentions the gateway, not the queue"} for name in missing}


def test_size_budget_of_8_artifacts(full, spec):
    """Rows "Manifest (8 artifacts)" (what a session reads of it is what ``spec status`` prints), "Per-artifact detail"
    and "Total for full read"."""
    workspace = full(8)
    manifest = len(get(workspace, ".limpet/manifest.yaml").encode())
    assert 2 * KB <= manifest <= 3 * KB
    assert 300 <= estimate_tokens(spec("status")) <= 700
    details = detail_sizes(workspace)
    assert len(details) == 8 and KB // 2 <= min(details) <= max(details) <= KB
    assert 6 * KB <= manifest + sum(details) <= 11 * KB


def test_size_budget_protocol_is_at_most_15_kb_and_4000_tokens(spec):
    """Row "Protocol doc"."""
    text = spec("status", "--protocol")
    assert 4 * KB <= len(text.encode()) <= 15 * KB
    assert 2000 <= estimate_tokens(text) <= 4000


def test_total_state_budget_a_session_at_scale_reads_less_than_7000_tokens(full, spec):
    """Row "Total state budget": 15 artifacts in at most 20 KB; status, one document's checklist and the protocol."""
    workspace = full(15)
    details = detail_sizes(workspace)
    assert len(details) == 15 and sum(details) + os.path.getsize(workspace.path("manifest.yaml")) <= 20 * KB
    read = (spec("status"), spec("status", "architecture"), spec("status", "--protocol"))
    assert sum(map(estimate_tokens, read)) <= 7000
    assert estimate_tokens(read[0]) <= 700


def test_state_model_and_where_it_lives(full):
    """Rows "State model" and "Where does state live": a manifest, and a file for each document named after its key."""
    workspace = full(2)
    assert sorted(os.listdir(workspace.path("artifacts"))) == ["architecture.yaml", "features.yaml"]
    assert os.path.isfile(workspace.path("manifest.yaml"))


def test_cold_start_read_set_is_the_manifest_and_details_on_demand(full, spec):
    """Row "Cold-start read set": no answer, no note and no question before a document is asked for."""
    full(3)
    assert "Only mentions the gateway" not in spec("status")
    assert "Only mentions the gateway" in spec("status", "architecture")


def test_clutter_prevention_no_file_per_session_problem_or_evaluation(full, spec):
    """Row "Clutter prevention": ten problems and five lines in the manifest, one file a document, whatever is done."""
    workspace = full(7)
    for number in range(3):
        spec("log", f"did {number}")
    found = spec("status", "--json")
    assert (len(found["backlog"]), len(found["log"])) == (10, 5)
    assert len(spec("backlog", "--json")) == 14
    assert len(os.listdir(workspace.path("artifacts"))) == 7


def test_git_the_protocol_recommends_committing_and_the_state_is_not_ignored(call, spec, workspace):
    """Row "Git"."""
    assert call("init", "--yes").returncode == 0
    assert "We recommend committing `.limpet/manifest.yaml` and `.limpet/artifacts/`" in spec("status", "--protocol")
    assert not os.path.exists(workspace.path(".gitignore"))


def test_wip_handling_the_manifest_is_the_truth_about_completion(full, spec):
    """Row "WIP handling": a document written after its evaluation is evaluated again, without any mark."""
    workspace = full(1)
    put(workspace, "specs/architecture.md", "# half of a new o")
    assert state(spec)[0] == "stale"
    assert [one["action"] for one in spec("status", "architecture", "--json")["next"]] == ["evaluate"]
