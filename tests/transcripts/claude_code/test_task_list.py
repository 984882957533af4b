"""The task list that the model keeps, as Claude Code's transcript tells it."""

import json

import pytest

from limpet.transcripts.claude_code.transcript import read_task_list


class Lines:
    """A transcript of calls and their answers."""

    def __init__(self, path):
        self.path, self.count = path, 0
        path.write_text("")

    def log(self, kind, block, **record):
        line = {"type": kind, "message": {"role": kind, "model": "m", "content": [block]}, **record}
        with open(self.path, "a") as file:
            file.write(json.dumps(line) + "\n")

    def call(self, name, said="ok", failed=False, listed=False, record=None, **given):
        self.count += 1
        key = f"t{self.count}"
        self.log("assistant", {"type": "tool_use", "id": key, "name": name, "input": given}, **(record or {}))
        said = [{"type": "text", "text": said}] if listed else said
        self.log("user", {"type": "tool_result", "tool_use_id": key, "content": said, "is_error": failed})

    def todo(self, **tasks):
        todos = [{"content": text, "status": status} for text, status in tasks.items()]
        self.call("TodoWrite", todos=todos)

    def create(self, number, subject, **more):
        self.call("TaskCreate", said=f"Task #{number} created successfully: {subject}", subject=subject, **more)

    @property
    def tasks(self):
        return [(task.text, task.status) for task in read_task_list(str(self.path))]


@pytest.fixture
def lines(tmp_path):
    return Lines(tmp_path / "t.jsonl")


def test_the_newest_whole_list_counts(lines):
    """With its marks; what is no task is left out."""
    lines.todo(model="pending", endpoint="pending")
    lines.todo(model="completed", endpoint="in_progress", docs="pending")
    lines.log("assistant", {"type": "text", "text": 'The tool "TodoWrite" is good.'})
    assert lines.tasks == [("model", "completed"), ("endpoint", "in_progress"), ("docs", "pending")]
    lines.call("TodoWrite", todos=[7, {"content": 5}, {"content": "docs"}])
    assert lines.tasks == [("docs", "")]


@pytest.mark.parametrize("listed", [False, True])
def test_tasks_are_made_and_changed_one_by_one(lines, listed):
    """By their numbers, also over compactions; a deleted one is gone, an unknown one is none."""
    lines.create(1, "model", listed=listed)
    lines.create(2, "endpoint", listed=listed)
    lines.create(3, "docs", listed=listed)
    lines.call("TaskUpdate", taskId="1", status="completed")
    lines.log("assistant", {"type": "text", "text": "cut"}, type="system", subtype="compact_boundary")
    lines.call("TaskUpdate", taskId="2", status="in_progress", subject="the endpoint")
    lines.call("TaskUpdate", taskId="3", status="deleted")
    lines.call("TaskUpdate", taskId="9", status="completed")
    assert lines.tasks == [("model", "completed"), ("the endpoint", "in_progress")]


def test_a_task_that_was_not_made_is_none(lines):
    """The call failed."""
    lines.create(1, "model", failed=True)
    assert lines.tasks == []


def test_a_sub_agents_list_is_its_own(lines):
    """The main conversation's is told."""
    lines.todo(model="pending")
    lines.call("TodoWrite", record={"isSidechain": True}, todos=[{"content": "other", "status": "pending"}])
    assert lines.tasks == [("model", "pending")]


@pytest.mark.parametrize("text", ["", '"TodoWrite"\n', '{"message": {"content": 5}, "x": "TodoWrite"}\n', "\0\xff\n"])
def test_a_broken_file_has_no_list(lines, text):
    """Nor one that is not there."""
    lines.path.write_text(text, encoding="latin-1")
    assert lines.tasks == []
    lines.path.unlink()
    assert lines.tasks == []
