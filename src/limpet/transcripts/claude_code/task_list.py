"""Reads the task list that the model keeps, as it last stood, from Claude Code's transcript: all of its life counts and
not only the newest epoch, so its lines are searched for by themselves."""

from __future__ import annotations

import re

from limpet.ground.text.escaping import clip
from limpet.transcripts.claude_code.usage import main_chain
from limpet.transcripts.messages import ListedTask
from limpet.transcripts.records import mapping_of, records_of, text_of
from limpet.transcripts.tail import lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.transcripts.records import Record

# Bytes from the end in which the list is looked for, and characters of a task.
LIMIT = 32 * 1024 * 1024
LONGEST = 300
WHOLE, CREATE, UPDATE = "TodoWrite", "TaskCreate", "TaskUpdate"
# Inside a JSON string a quotation mark is escaped, so text that merely mentions the tools does not match.
_MARKS = tuple(f'"{name}"'.encode() for name in (WHOLE, CREATE, UPDATE))
_CREATED = b"Task #"
_NUMBER = re.compile(r"Task #(\w{1,20}) created")


def read_task_list(path: str, limit: int = LIMIT) -> tuple[ListedTask, ...]:
    """Return the tasks of the main conversation's list in their order, () where it keeps none.

    ``TodoWrite`` writes the whole list again; ``TaskCreate`` and ``TaskUpdate`` change one task of it.
    """
    tasks: dict[str, ListedTask] = {}
    created: dict[str, ListedTask] = {}
    for block in _blocks(path, limit):
        given = mapping_of(block.get("input"))
        if block.get("name") == WHOLE:
            todos = given.get("todos")
            tasks = dict(_whole(todos)) if isinstance(todos, list) else tasks
        elif block.get("name") == CREATE:
            created[text_of(block, "id")] = ListedTask(text=clip(text_of(given, "subject"), LONGEST))
        elif block.get("name") == UPDATE:
            tasks = _updated(tasks, given)
        elif (task := created.pop(text_of(block, "tool_use_id"), None)) and (number := _number(block)):
            tasks[number] = task
    return tuple(task for task in tasks.values() if task.text)


def _blocks(path: str, limit: int) -> Iterator[Record]:
    """Yield the calls of the list's tools and the answers to calls that create a task, the oldest first: back to the
    last call that wrote the whole list."""
    found: list[Record] = []
    for _, line in lines_from_end(path, limit=limit):
        if not any(mark in line for mark in (*_MARKS, _CREATED)):
            continue
        content = records_of(mapping_of(main_chain(line).get("message")), "content")
        blocks = [each for each in content if each.get("name") in (WHOLE, CREATE, UPDATE) or _number(each)]
        found.extend(reversed(blocks))
        if any(each.get("name") == WHOLE for each in blocks):
            break
    return reversed(found)


def _whole(todos: list[object]) -> Iterator[tuple[str, ListedTask]]:
    for number, todo in enumerate(todos):
        given = mapping_of(todo)
        yield str(number), ListedTask(text=clip(text_of(given, "content"), LONGEST), status=text_of(given, "status"))


def _updated(tasks: dict[str, ListedTask], given: Record) -> dict[str, ListedTask]:
    number, status = str(given.get("taskId") or ""), text_of(given, "status")
    if status == "deleted":
        return {key: task for key, task in tasks.items() if key != number}
    known = tasks.get(number)
    if known is None:
        return tasks
    text = clip(text_of(given, "subject"), LONGEST) or known.text
    return {**tasks, number: ListedTask(text=text, status=status or known.status)}


def _number(block: Record) -> str:
    """Return the number of the task that the answer to a call says it created, "" for any other block."""
    if block.get("type") != "tool_result" or block.get("is_error") is True:
        return ""
    said = block.get("content")
    texts = [said] if isinstance(said, str) else [text_of(mapping_of(each), "text") for each in said or ()]  # type: ignore[attr-defined]
    created = next((found for text in texts if (found := _NUMBER.search(text))), None)
    return created[1] if created else ""
