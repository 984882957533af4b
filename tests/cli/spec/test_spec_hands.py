"""What hands do to the documents and their state between two commands, and what ``limpet work spec`` makes of it."""

from limpet.ground.text.tokens import estimate_tokens

from ...hook_host import Host
from ...memories import configure
from .test_spec import get, put


def test_a_document_of_an_unknown_type_has_a_status(project, spec):
    """Without a checklist; its problems are shown, also those that stand in the manifest only."""
    put(project, "docs/glossary.md", "x")
    text = get(project, ".limpet/manifest.yaml")
    text = text.replace("artifacts:\n", "artifacts:\n  glossary: {path: docs/glossary.md, score: 0}\n")
    put(project, ".limpet/manifest.yaml", text.replace("backlog: []", "backlog: [{artifact: glossary, item: A gap}]"))
    assert spec("status", "glossary").splitlines() == ["evaluate glossary (never evaluated)", "backlog medium: A gap"]
    assert spec("status", "glossary", "--json")["document"]["evaluation"] is None


def test_the_projects_own_limits_hold_for_what_is_kept_and_what_is_read_first(project, spec):
    """``work.spec`` in its configuration."""
    put(project, ".limpet/config.yaml", "work: {spec: {backlog: 2, log: 1, cold_start_tokens: 120}}\n")
    for number in range(3):
        spec("backlog", "features", f"problem {number}")
    spec("log", "did something")
    found = spec("status", "--json")
    assert (len(found["backlog"]), len(found["log"])) == (2, 1)
    assert 0 < estimate_tokens("\n".join(found["lines"])) <= 120


def test_what_status_sees_the_next_session_sees(project, spec):
    """A document that changed in the middle of a session leaves no trace that the hook looks for."""
    spec("evaluate", "architecture", "--answers", "answers.yaml")
    assert "architecture 4/5 current" in " ".join(Host(project).prompt(session_id="one").block["spec"])
    put(project, "docs/architecture.md", "# Another\n")
    assert "- architecture 4/5 stale" in spec("status")
    assert "architecture 4/5 stale" in " ".join(Host(project).prompt(session_id="two").block["spec"])


def test_a_start_tells_of_what_changed_since(project, spec):
    """Its own block does, not only that of the prompt after it."""
    configure(project)
    spec("evaluate", "architecture", "--answers", "answers.yaml")
    put(project, "docs/architecture.md", "# Another\n")
    started = Host(project).send("SessionStart", source="startup", session_id="one")
    assert "architecture 4/5 stale" in " ".join(started.block["spec"])
