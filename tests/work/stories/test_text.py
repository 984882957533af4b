"""Checklists and file lists, in the forms that the manual names."""

import pytest

from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.stories.file_list import read_story_files
from limpet.work.stories.text import read_checks, read_story_text


@pytest.mark.parametrize(
    ("item", "check"),
    [
        ('"[x] it runs"', (True, "it runs")),
        ('"[X]   it runs"', (True, "it runs")),
        ('"- [ ] it runs"', (False, "it runs")),
        ("it runs", (False, "it runs")),
        ("42", (False, "42")),
        ("{text: it runs, done: true}", (True, "it runs")),
        ('{text: it runs, done: "yes"}', (True, "it runs")),
        ('{text: "[x] it runs"}', (True, "it runs")),
        ('{text: "[x] it runs", done: false}', (False, "it runs")),
        ("it runs: on every system", (False, "it runs: on every system")),
        ("{id: AC1, description: it runs, status: done}", (True, "it runs")),
        ("{id: AC1, description: it runs, status: open}", (False, "it runs")),
        ("{description: it runs}", (False, "it runs")),
        ("title: it runs", (False, "title: it runs")),
        (
            "{id: 1, given: a file, when: it is read, then: it runs}",
            (False, "Given a file, When it is read, Then it runs"),
        ),
    ],
)
def test_one_item_in_every_form(item, check):
    """A box, a flag, or a text that YAML split at its colon."""
    assert read_checks(load_yaml(f"- {item}\n", "story.yml")) == (check,)


@pytest.mark.parametrize("found", [None, "text", {"a": 1}, [None, [], {}, "", {"a": [1]}, {"a": 1, "b": 2}]])
def test_what_has_no_text_is_left_out(found):
    """And so is what is no list."""
    assert read_checks(found) == ()


@pytest.mark.parametrize(
    ("item", "file"),
    [
        ("src/a.py", ("src/a.py", "")),
        ("src/a.py (new)", ("src/a.py", "new")),
        ("src/a.py (Criar)", ("src/a.py", "new")),
        ("'`src/a.py` (deleted)'", ("src/a.py", "delete")),
        ("src/app (old)/a.py", ("src/app (old)/a.py", "")),
        ("notes (draft)", ("notes (draft)", "")),
        ("{path: src/a.py, change: modified}", ("src/a.py", "modify")),
        ("{path: src/a.py, change: alterar}", ("src/a.py", "modify")),
        ("{path: src/a.py}", ("src/a.py", "")),
    ],
)
def test_one_file_in_every_form(item, file):
    """Brackets that name no change are part of the path."""
    assert read_story_files(load_yaml(f"- {item}\n", "story.yml")) == (file,)


@pytest.mark.parametrize(
    ("lines", "files"),
    [
        ("- `src/a.py` \u2014 new module", [("src/a.py", "new")]),
        ("- `package.json`: version raised", [("package.json", "")]),
        ("- src/a.py - modified", [("src/a.py", "modify")]),
        ("- **Deleted:** `src/a.py`", [("src/a.py", "delete")]),
        ("- `src/a.py` - removed an import", [("src/a.py", "")]),
        ("- `src/a.py` (deleted)", [("src/a.py", "delete")]),
        ("- `src/a.py`, `src/b.py` (new)", [("src/a.py", "new"), ("src/b.py", "new")]),
        ("- `src/a.py` calls `run()`", [("src/a.py", "")]),
        ("- [a.py](../src/a.py) (new)", [("a.py", "new")]),
        ("- src/app (old)/a.py", [("src/app (old)/a.py", "")]),
        ("- [x] `src/a.py:12-30`", [("src/a.py", "")]),
        ("**Deleted:**\n\n- `a.py`\n\n### New files\n- b.py", [("a.py", "delete"), ("b.py", "new")]),
        (
            "- Modified:\n  - `a.py`\n    with a remark\n- Created/Modified\n  - `b.py`",
            [("a.py", "modify"), ("b.py", "")],
        ),
        ("| File | Change | Why |\n|---|---|---|\n| `a.py` | deleted | old.py |", [("a.py", "delete")]),
        ("| Change | File |\n|---|---|\n| new | src/a.py |", [("src/a.py", "new")]),
        ("- None yet\n- N/A\n- See the log.\nAll of them work.", []),
        ("- `src/**/*.ts` (all)", []),
        ("```\nsrc/a.py\n```", []),
    ],
)
def test_a_list_of_files_as_people_write_it(lines, files):
    """A code span, a remark, a label, a table, a lead; what names no file is none."""
    assert list(read_story_text(f"# One\n\n## File List (so far)\n\n{lines}\n", "story.md").files) == files


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("# One\n\n**Status:** \u2705 Done (2026-01-02)\n", "Done"),
        ("# One\n\n> Status: Ready for Review | dev\n", "Ready for Review"),
        ("# One\n\n| Status | In Progress |\n", "In Progress"),
        ("# One\n\n## Status\n\n`Draft`\n", "Draft"),
        ("# One\n\n## Status: Approved\n\n## Tasks\n", "Approved"),
        ("# Um\n\n- **Situa\u00e7\u00e3o**: Conclu\u00eddo\n", "Conclu\u00eddo"),
        ("---\nstatus: ready\n---\n# One\n\nStatus: Done\n", "ready"),
        ("# One\n\n```\nStatus: Done\n```\n", ""),
        ("# One\n\n## Acceptance Criteria\n\n- [ ] It tells\n- Status: 200 for all\n", ""),
    ],
)
def test_a_status_in_the_text(text, status):
    """The frontmatter's wins; what criteria say is none."""
    assert read_story_text(text, "story.md").status == status
