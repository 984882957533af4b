"""An artifact is what its file's text, name and place say."""

import pytest

from limpet.registry.artifacts import RegistryArtifact, dependents, describe, find_id, resolve

FORM = b"---\ntype: template\npurpose: Ask users\nkeywords: [talk]\nadaptability: 0.7\n---\n\n# Talk with {name}\n"


def made(id, *needs):
    return RegistryArtifact(id=id, type=id.partition("/")[0], path=id, purpose="", dependencies=needs)


def test_a_files_frontmatter_says_what_it_is():
    found = describe("template", "talk", ".limpet/templates/talk.md", FORM, own=True)
    assert (found.id, found.purpose, found.keywords, found.adaptability) == (
        "template/talk",
        "Ask users",
        ("talk",),
        0.7,
    )


@pytest.mark.parametrize(
    ("kind", "path", "text", "purpose", "keywords"),
    [
        ("template", "a.md", "# Talk\n\nWhat users\nsay.\n\n## Answers\n", "Talk. What users say.", ("Answers",)),
        ("rule", "rules/a", "# For tests.\nA_RULE_0=Quote results.\n", "For tests. Quote results.", ()),
        ("rule", "rules/a", "A_RULE_0=Quote results.\n", "Quote results.", ()),
        ("schema", "a.json", '{"description": "A rota", "properties": {"week": {}}}', "A rota", ("week",)),
        ("workflow", "a.yaml", "name: a\ndescription: Short\n", "Short", ()),
        ("workflow", "a.yaml", "name: [\n", "name: [", ()),
        ("agent", "a.md", "---\nmission: Writes\noutputs: Notes\n---\n# A\n", "Writes; Notes", ()),
    ],
)
def test_without_one_the_text_does(kind, path, text, purpose, keywords):
    """The first paragraph, the first remark, the description; headings and keys are keywords."""
    found = describe(kind, "a", path, text.encode())
    assert (found.purpose, found.keywords) == (purpose, keywords)


@pytest.mark.parametrize(("stated", "found"), [("0.7", 0.7), ("2", 0.6), ("yes", 0.6), ("a", 0.6)])
def test_an_adaptability_that_is_none_is_that_of_its_type(stated, found):
    text = f"---\ntype: template\npurpose: X\nadaptability: {stated}\n---\n"
    assert describe("template", "a", "a.md", text.encode()).adaptability == found


def test_an_agent_and_a_workflow_need_what_they_name():
    agent = describe("agent", "a", "a.md", b"---\nmission: M\ntemplates: [prd]\nhandoff: [dev]\n---\n")
    steps = b"name: w\nsteps:\n  - {agent: '@QA_Planning', domains: [STORY]}\n"
    assert agent.dependencies == ("schema/agent", "template/prd", "agent/dev")
    assert describe("workflow", "w", "w.yaml", steps).dependencies == (
        "schema/workflow",
        "agent/qa-planning",
        "rule/story",
    )


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("template/task", "template/task"),
        ("task-template", "template/task"),
        ("dev", "agent/dev"),
        ("Brief", ""),
        ("no", ""),
    ],
)
def test_a_word_means_one_artifact_or_none(name, id):
    known = [made("template/task"), made("agent/dev"), made("agent/brief"), made("template/brief")]
    assert find_id(known, name) == id


def test_what_needs_an_artifact_is_found_through_others_and_in_circles():
    known = resolve([made("a/1", "a/3"), made("a/2", "1"), made("a/3", "a/2"), made("a/4")])
    assert dependents(known, "a/1") == ("a/2", "a/3")
    assert dependents(known, "a/4") == ()
