"""Documents and a workflow under way, by ``limpet work spec``: its outputs are tracked, and there is one next."""

from ...finishing import finish_step
from ...operations.callers import opened
from .test_spec import put


def nexts(spec):
    return [line for line in spec("status").splitlines() if line.startswith("next: ")]


def test_documents_of_a_workflow_are_found_where_agents_write_them(workspace, spec):
    """Among the documents; a file of that name elsewhere says nothing."""
    for path in ("docs/prd.md", "docs/brief.md", "docs/adr/0002-b.md", "docs/adr/0001-a.md", "src/web/tasks.md"):
        put(workspace, path, "x\n")
    found = {one["key"]: one["path"] for one in spec("scan", "--json")["found"] if one["path"]}
    assert found == {"brief": "docs/brief.md", "prd": "docs/prd.md", "adr": "docs/adr/0002-b.md"}


def test_what_a_handoff_names_is_tracked_by_itself(workspace, spec, call):
    """Documents that agents make, the second of a type by its own name; no other file, and none that is missing."""
    for path in ("docs/prd.md", "docs/adr/0001-a.md", "docs/adr/0002-b.md", "src/main.py", "docs/notes.md"):
        put(workspace, path, "x\n")
    assert call("work", "start", "greenfield").returncode == 0
    outputs = ("docs/prd.md", "docs/adr/0001-a.md", "docs/adr/0002-b.md", "src/main.py", "docs/notes.md")
    named = [part for path in outputs for part in ("--output", path)]
    done = call("work", "handoff", "--write", "greenfield-wu", "--to", "brief", "--summary", "All is learnt.", *named)
    assert done.returncode == 0, done.stderr
    found = {one["key"]: (one["path"], one["type"], one["state"]) for one in spec("status", "--json")["documents"]}
    assert found == {
        "prd": ("docs/prd.md", "prd", "draft"),
        "adr": ("docs/adr/0001-a.md", "adr", "draft"),
        "0002-b": ("docs/adr/0002-b.md", "adr", "draft"),
    }


def test_the_step_under_way_says_what_comes_next_unless_it_makes_the_document(workspace, spec, call):
    """Without a workflow the documents do; who asks for documents gets them."""
    spec("scan", "--write")
    assert nexts(spec) == ["next: write architecture (not written yet)"]
    assert call("work", "start", "greenfield").returncode == 0
    assert nexts(spec) == ["next: greenfield-wu is active: limpet work status"]
    assert spec("status", "--json")["next"] == [] and len(spec("status", "--vague", "--json")["next"]) == 3
    put(workspace, "docs/brief.md", "x\n")
    spec("scan", "--write")
    finish_step(opened(workspace))
    assert nexts(spec) == ["next: evaluate brief (never evaluated)"]
