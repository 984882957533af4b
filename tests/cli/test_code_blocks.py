"""Code shows how something looks: in every file that is read as Markdown it is none of its structure."""

import json
import os

import pytest

from ..work.writing import put

FENCES = [("```markdown", "```"), ("~~~~", "~~~~"), ("- like this:\n  ```", "  ```")]


@pytest.fixture(params=FENCES, ids=["backticks", "tildes", "in a list"])
def shown(request):
    """Wraps lines in code."""
    opening, closing = request.param
    indent = " " * (len(closing) - len(closing.lstrip()))

    def wrap(*lines):
        return "\n".join([opening, *(f"{indent}{line}" for line in lines), closing])

    return wrap


def test_an_article(workspace, run, shown):
    example = shown("### XVIII. Zebras (BLOCK)", "- MUST NOT ride them.")
    put(workspace, "constitution.md", f"{example}\n\n### XVII. Patients (BLOCK)\n- MUST NOT log a name.\n\n{example}\n")
    text = run("rules", "show", "CONSTITUTION").stdout
    assert "Patients" in text and "Zebras" not in text


def test_a_story(workspace, run, shown):
    example = shown("## Acceptance Criteria", "- [ ] Zebras are ridden", "- [x] 9 tasks")
    put(
        workspace,
        "stories/S-1/story.md",
        f"# One\n\n{example}\n\n## Acceptance Criteria\n\n- [ ] It runs\n\n## More\n\n{example}\n",
    )
    found = json.loads(run("work", "story", "show", "S-1", "--json").stdout)
    assert [one["text"] for one in found["acceptance"]] == ["It runs"]


def test_evidence_in_a_storys_record(workspace, run, shown):
    example = shown("- Criterion 1, It runs: src/a.py")
    text = f'---\nacceptance: ["[x] It runs"]\n---\n# One\n\n## Dev Agent Record\n\n{example}\n'
    put(workspace, "stories/S-1/story.md", text)
    assert json.loads(run("work", "story", "show", "S-1", "--json").stdout)["claimed"] == 1


def test_a_requirement(workspace, run, shown):
    """One that a document shows in code does not count; a change of it is none."""
    text = "# PRD\n\n- FR-1: It runs.\n\n{}\n"
    path = workspace.root + "/prd.md"
    put_text(path, text.format(shown("- FR-2: Zebras", "# FR-3 Zebras")))
    run("work", "spec", "scan", "--write")
    answers = workspace.root + "/answers.yaml"
    ids = [
        line.split()[1]
        for line in run("work", "spec", "evaluate", "prd").stdout.splitlines()
        if line.strip()[:1] in ("+", "-")
    ]
    put_text(answers, "".join(f"{one}: no\n" for one in ids))
    run("work", "spec", "evaluate", "prd", "--answers", answers)
    put_text(path, text.format(shown("- FR-2: Lions", "# FR-3 Lions")).replace("It runs", "It walks"))
    said = run("work", "spec", "status", "prd").stdout
    assert "FR-1" in said and "FR-2" not in said and "FR-3" not in said


def test_an_agents_text(workspace, run, shown):
    """Its title leads what stands behind the code, and not what the code shows."""
    put_text(
        workspace.root + "/a.md", f"---\ndescription: Mends\n---\n# Mender\n\n{shown('## Never')}\n\n- Push to main\n"
    )
    run("work", "agent", "new", "mender", "--from", "a.md")
    assert "Never: Push" not in run("work", "agent", "show", "mender").stdout


def test_a_note(workspace, run, shown):
    put_text(
        workspace.root + "/notes/n.md", f"{shown('# Zebra', '## Evidence')}\n\n# The cache is emptied\n\nAt three.\n"
    )
    run("memory", "import", "notes")
    [found] = json.loads(run("memory", "list", "--json").stdout)
    assert found["title"] == "The cache is emptied"


def put_text(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
