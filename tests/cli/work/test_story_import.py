"""``limpet work story import`` by its door: stories of tasks, with their way back to the file."""

import json
import os

import pytest

TASKS = """# Tasks: Tide album

## Format: `[ID] [P?] [Story] Description`

## Phase 1: Setup

- [x] T001 Make the folders

## Phase 3: User Story 1 - Make an album (Priority: P1)

**Independent Test**: An album is made and listed

### Tests

- [ ] T002 [P] [US1] Album model in src/models/album.py
- [x] T003 [US1] Delete src/old/album.py

```
- [ ] T999 is an example
```

### Implementation

- [ ] T004 [US1] Service in `src/services/album.py`
"""
CHANGE = "## 1. Model\r\n- [ ] 1.1 Add it\r\n\r\n## 2. API\r\n- [x] 2.1 Do\r\n- [ ] 2.2 More"
STORY = """# Story 1.2: Show the tide

## Status: Ready

## Acceptance Criteria

1. The height is shown

## Tasks / Subtasks (AC: 1)

- [ ] Read it

## File List

- `src/tide.py` \u2014 new
"""
FILE = "specs/001-tide/tasks.md"


@pytest.fixture
def put(workspace):
    def write(path, text):
        full = os.path.join(workspace.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return full

    return write


def bring(run, path):
    done = run("story", "import", path, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def shown(run, story_id):
    return json.loads(run("work", "story", "show", story_id, "--json").stdout)


def test_each_phase_is_a_story_with_its_tasks(put, run):
    """Its test is its criterion, its paths are its files, what is all ticked is done, and code is none of it."""
    put(FILE, TASKS)
    found = bring(run, FILE)
    assert [(one["id"], one["line"], one["tasks"]) for one in found["added"]] == [("S-1", 5, 1), ("S-2", 9, 3)]
    assert found["next"] == "limpet work story start S-2"
    setup, album = shown(run, "S-1"), shown(run, "S-2")
    assert setup["status"] == "done" and setup["progress"] == "all 1 tasks done"
    assert album["title"] == "Tide album: Phase 3: User Story 1 - Make an album (Priority: P1)"
    assert [one["text"] for one in album["acceptance"]] == ["An album is made and listed"]
    assert [(one["done"], one["text"][:4]) for one in album["tasks"]] == [
        (False, "T002"),
        (True, "T003"),
        (False, "T004"),
    ]
    assert {one["path"]: one["change"] for one in album["files"]} == {
        "src/models/album.py": "",
        "src/old/album.py": "delete",
        "src/services/album.py": "",
    }
    assert album["source"] == f"Source: {FILE}:9"


def test_a_second_import_copies_nothing(put, run):
    put(FILE, TASKS)
    bring(run, "specs")
    again = bring(run, "specs")
    assert again["added"] == [] and again["known"] == ["S-1", "S-2"] and again["changed"] == []
    put(FILE, TASKS + "\n## Phase 4: Polish\n\n- [ ] T005 Polish\n")
    assert [one["id"] for one in bring(run, FILE)["added"]] == ["S-3"]


def test_what_changed_in_the_file_is_told(put, run, workspace):
    """By list, show, check and the next import; ticks too; then that it moved, and that it is gone."""
    put(FILE, TASKS)
    bring(run, FILE)
    put(FILE, TASKS.replace("T004 [US1] Service", "T004 [US1] Big service").replace("- [ ] T002", "- [x] T002"))
    assert shown(run, "S-2")["source"] == f"Source: {FILE}:9 (1 new, 1 gone, 1 ticked there)"
    assert f"S-2: its source says otherwise: {FILE} 1 new" in run("work", "story", "list").stdout
    check = run("work", "story", "show", "S-2", "--check")
    assert "1 new, 1 gone" in check.stdout and check.returncode == 0
    assert bring(run, FILE)["changed"] == [{"id": "S-2", "what": "1 new, 1 gone, 1 ticked there"}]

    put(FILE, TASKS)
    os.makedirs(os.path.join(workspace.root, "specs/002-tide"))
    os.rename(os.path.join(workspace.root, FILE), os.path.join(workspace.root, "specs/002-tide/tasks.md"))
    assert "moved: run limpet work story import specs/002-tide/tasks.md" in shown(run, "S-2")["source"]
    moved = bring(run, "specs")
    assert moved["added"] == [] and [one["id"] for one in moved["moved"]] == ["S-1", "S-2"]
    assert shown(run, "S-2")["source"] == "Source: specs/002-tide/tasks.md:9"

    os.remove(os.path.join(workspace.root, "specs/002-tide/tasks.md"))
    assert "is gone" in shown(run, "S-2")["source"]


def test_a_tick_is_written_back_where_asked(put, run):
    """Every other byte stays, CRLF and the missing last line break too; else the file is not touched."""
    full = put("openspec/changes/add-x/tasks.md", CHANGE)
    bring(run, "openspec")
    assert shown(run, "S-2")["title"] == "add-x: 2. API"
    run("work", "story", "tick", "S-1", "--task", "1")
    assert read(full) == CHANGE
    done = run("work", "story", "tick", "S-2", "--task", "More", "--source")
    assert "openspec/changes/add-x/tasks.md:6 too" in done.stdout
    assert read(full) == CHANGE.replace("- [ ] 2.2", "- [x] 2.2")
    put("openspec/changes/add-x/tasks.md", CHANGE.replace("2.1 Do", "2.1 Else"))
    refused = run("work", "story", "tick", "S-2", "--task", "1", "--undo", "--source")
    assert refused.returncode == 1 and "Tick it there by hand" in refused.stderr
    assert shown(run, "S-2")["tasks"][0]["done"]


def test_a_story_of_bmad_or_aios_comes_whole(put, run):
    """Under its file's name; beside stories, lists about them are none, nor is what is over."""
    put("docs/stories/1.2.story.md", STORY)
    put("docs/stories/epic-1.md", "# Epic\n\n- [ ] Story 1.2\n")
    put("docs/stories/archive/1.1.story.md", STORY)
    put("docs/stories/1.3.story.md", STORY.replace("Status: Ready", "Status: Done"))
    assert [one["id"] for one in bring(run, "docs/stories")["added"]] == ["1.2", "1.3"]
    found = shown(run, "1.2")
    assert found["status"] == "Ready" and found["title"] == "Story 1.2: Show the tide"
    assert found["tasks"] == [{"done": False, "text": "Read it"}]
    assert found["files"] == [{"path": "src/tide.py", "change": "new"}]
    assert shown(run, "1.3")["accepted"] == "done in docs/stories/1.3.story.md"


def test_what_an_agent_imports_as_done_is_not_accepted_by_a_person(put, run, monkeypatch):
    put("docs/stories/1.3.story.md", STORY.replace("Status: Ready", "Status: Done"))
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "abc")
    assert [one["id"] for one in bring(run, "docs/stories")["added"]] == ["1.3"]
    assert not shown(run, "1.3")["accepted"]


def test_a_plain_list_is_one_story(put, run):
    put("todo.md", "- [ ] one\n    - [ ] nested\n- [x] two\n")
    [made] = bring(run, "todo.md")["added"]
    assert made["tasks"] == 2


@pytest.mark.parametrize("path", ["notes.md", "none.md", "../elsewhere"])
def test_nothing_to_import_is_refused(put, run, path):
    """Without a box, without a file, out of the project."""
    put("notes.md", "# Notes\n\n- a\n")
    done = run("work", "story", "import", path)
    assert done.returncode == 1 and "Traceback" not in done.stderr and path in done.stderr


def test_a_file_that_cannot_be_read_is_named_and_the_others_come(put, run, workspace):
    put("docs/a.md", "- [ ] one\n")
    put("docs/b.md", "<<<<<<< HEAD\n- [ ] two\n")
    done = run("work", "story", "import", "docs", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 1 and len(found["added"]) == 1 and "docs/b.md:1" in found["problems"][0]


def test_several_stories_in_one_file_come_each_by_its_heading(put, run):
    """As an epic has them, with headings in bold for their parts; the epic's own text is none."""
    one = "## Story 1.{0}: Tide {0}\n\n**Tarefas T\u00e9cnicas:**\n\n1. Read it\n\n"
    one += "### Acceptance Criteria\n\n- [ ] Shown {0}\n\n"
    put("docs/stories/epic-1.md", "# Epic 1\n\n" + one.format(1) + one.format(2))
    added = bring(run, "docs/stories")["added"]
    assert [(one["id"], one["line"]) for one in added] == [("Story-1.1-Tide-1", 3), ("Story-1.2-Tide-2", 13)]
    found = shown(run, "Story-1.2-Tide-2")
    assert found["title"] == "Story 1.2: Tide 2"
    assert [one["text"] for one in (*found["acceptance"], *found["tasks"])] == ["Shown 2", "Read it"]
    assert bring(run, "docs/stories")["known"] == [one["id"] for one in added]


def test_a_list_with_its_files_has_them(put, run):
    put(
        "docs/stories/evals.md",
        "# Evals\n\n## Checklist\n\n- [ ] Write them\n\n## File List\n\n- `tests/evals.py` (new)\n",
    )
    bring(run, "docs/stories/evals.md")
    assert shown(run, "S-1")["files"] == [{"path": "tests/evals.py", "change": "new"}]


def test_a_source_out_of_the_project_is_neither_read_nor_written(put, run, tmp_path):
    """Whatever a story's file names."""
    (tmp_path / "tasks.md").write_text("- [ ] one\n")
    outside = os.path.relpath(tmp_path / "tasks.md", os.path.dirname(put("a.md", "")))
    put(".limpet/stories/S-1/story.md", f"---\nimported_from: {outside}\n---\n# One\n\n## Tasks\n\n- [ ] one\n")
    assert "outside the project" in shown(run, "S-1")["source"]
    done = run("work", "story", "tick", "S-1", "--task", "1", "--source")
    assert done.returncode == 1 and (tmp_path / "tasks.md").read_text() == "- [ ] one\n"
