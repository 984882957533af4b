"""``limpet registry`` and ``limpet decide`` by their door."""

import json
import os

import pytest
import yaml

EXAMPLE = "I need a template for documenting API endpoints"
AGENT = "---\nmission: Writes odes\ntemplates: [prd]\n---\n# Scribe\n"


@pytest.fixture
def scribe(workspace):
    """An agent of the project's own."""
    os.makedirs(workspace.path("agents"))
    with open(workspace.path("agents", "scribe.md"), "w") as file:
        file.write(AGENT)


def test_the_list_has_everything_by_kind(call, scribe):
    shown = call("registry", "list").stdout
    assert "Templates\n" in shown and "  template/task " in shown and "Writes odes (yours)" in shown
    found = {one["id"]: one for one in json.loads(call("registry", "list", "--json").stdout)}
    assert set(found["template/task"]) == {
        *("id", "type", "path", "purpose", "keywords", "dependencies", "adaptability", "checksum", "own")
    }
    assert found["agent/scribe"]["own"] and len(found["template/task"]["checksum"]) == 64


def test_one_is_shown_with_what_depends_on_it(call, scribe):
    shown = call("registry", "show", "prd-template").stdout
    assert shown.startswith("template/prd\n") and "framework/templates/prd.md" in shown
    assert "agent/scribe" in call("registry", "impact", "template/prd").stdout.split()
    assert json.loads(call("registry", "impact", "schema/agent", "--json").stdout)["impact"] == "critical"
    assert call("registry", "impact", "gate/planning").stdout.startswith("gate/planning: ")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("show", "tsak"), 1, "No artifact has this name: tsak"),
        (("show", "brief"), 1, "More than one artifact has this name: brief"),
        (("show",), 2, "show takes an ID"),
        (("list", "dev"), 2, "list takes no ID"),
        (("show", "dev", "--write"), 2, "--write needs list"),
        (("add", "x"), 2, "is not one of"),
    ],
)
def test_what_it_does_not_take(call, words, code, says):
    """It adds, changes and removes nothing."""
    done = call("registry", *words)
    assert (done.returncode, says in done.stderr) == (code, True)


def test_the_map_is_written_by_category_with_the_projects_own(call, workspace, scribe):
    """Decision 41: what is shipped stays in the package."""
    assert "Wrote .limpet/registry.yaml: 1 artifact" in call("registry", "list", "--write").stdout
    with open(workspace.path("registry.yaml"), encoding="utf-8") as file:
        data = yaml.safe_load(file)
    assert data["metadata"]["entity_count"] == 1 and data["metadata"]["checksum_algorithm"] == "sha256"
    assert data["entities"]["agents"]["scribe"]["dependencies"] == ["schema/agent", "template/prd"]


def test_the_doctor_has_the_health_as_one_line(call, workspace, scribe):
    """In order it is shown on demand only."""
    said = [line for line in call("doctor", "--all").stdout.splitlines() if "framework" in line]
    assert said == ["warn  The framework is DEGRADED: 3 faults  -> run `limpet health`"]
    os.remove(workspace.path("agents", "scribe.md"))
    said = [line for line in call("doctor", "--all").stdout.splitlines() if "framework" in line]
    assert said == ["ok    The framework is HEALTHY: 89/89 present"]


def test_the_decision_is_printed_for_programs(call):
    """The contract."""
    data = json.loads(call("decide", EXAMPLE, "--json").stdout)
    assert data["decision"] == "ADAPT"
    first = data["matches"][0]
    assert {"id", "score", "keyword_score", "purpose_score", "adaptability"} <= set(first)
    assert (first["id"], first["adaptability"]) == ("template/task", 0.7)


def test_the_decision_is_printed_for_people(call):
    shown = call("decide", EXAMPLE).stdout
    assert shown.startswith("ADAPT: The task template is similar (")
    assert "safe to change" in shown and "template, documenting" in shown


def test_an_intent_that_says_nothing_is_refused(call):
    done = call("decide", "I need something")
    assert done.returncode == 1 and "No word of it says what is wanted" in done.stderr


def test_own_artifacts_are_compared_too(call, scribe):
    data = json.loads(call("decide", "an agent that writes odes", "--json").stdout)
    assert data["matches"][0]["id"] == "agent/scribe"


def test_without_a_project_what_is_shipped_is_known(call, tmp_path):
    assert json.loads(call("decide", EXAMPLE, "--json", cwd=str(tmp_path)).stdout)["decision"] == "ADAPT"
