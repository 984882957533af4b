"""A story as a value (decision 38): a unit of work, its preconditions, and the criteria by which it is done."""

from __future__ import annotations

from limpet.ground.values import Value

SCHEMA_VERSION = 1
KINDS = ("agent", "worker", "human", "clone")
ORIGIN = ("imported_from", "imported_part", "imported_as")
CHECKLISTS = ("pre_conditions", "acceptance", "tasks")

Checks = tuple[tuple[bool, str], ...]
KEYS = {
    "story": "id",
    "story id": "id",
    "active task": "title",
    "titulo": "title",
    "executor type": "executor",
    "executor tipo": "executor",
    "assignee": "agent",
    "agente": "agent",
    "responsavel": "agent",
    "pre conditions": "pre_conditions",
    "preconditions": "pre_conditions",
    "pre condicoes": "pre_conditions",
    "acceptance criteria": "acceptance",
    "criterios de aceite": "acceptance",
    "criterios de aceitacao": "acceptance",
    "file list": "files",
    "arquivos": "files",
    "lista de arquivos": "files",
    "fluxo": "workflow",
    "tarefas": "tasks",
}
"""Other names of the frontmatter's keys, as folded words."""
HEADINGS = {
    "pre_conditions": ("pre conditions", "preconditions", "pre condicoes"),
    "acceptance": (
        *("acceptance criteria", "acceptance", "acceptance criterion"),
        *("criterios de aceite", "criterios de aceitacao", "criterios de aceptacion"),
    ),
    "files": (
        *("file list", "files", "files modified", "files changed", "modified files", "files to modify"),
        *("files created modified", "files to create modify", "files to create", "affected files"),
        *("lista de arquivos", "arquivos", "arquivos a criar", "arquivos a criar modificar"),
    ),
    "status": ("status", "story status", "estado", "situacao"),
    "tasks": (
        *("tasks", "tasks subtasks", "implementation tasks", "technical tasks", "task list"),
        *("tarefas", "tarefas subtarefas", "tarefas tecnicas", "tasks tecnicas"),
    ),
    "dev_record": ("dev agent record", "registro do agente dev", "registro do agente de desenvolvimento"),
    "qa_results": ("qa results", "resultados de qa", "resultados do qa"),
}
"""Field -> the headings under which it stands in the Markdown, as ``markdown.heading_key`` gives them."""


class Story(Value):
    """A unit of work.

    ``executor_name``: how the story itself calls its executor.
    ``agent``: as ``@dev``, "" for none.
    ``pre_conditions``, ``acceptance``, ``tasks``: (done, text).
    ``files``: (path, ``new``, ``modify``, ``delete`` or "").
    ``added_during``: the agent of the build step in which it was added, "" for none.
    ``imported_from``, ``imported_part``, ``imported_as``: the file that it came from, the heading in it, and what tells
    the words that it had then; "" for none.
    ``accepted``: why a person called it done though something in it was open, "" where nobody did.
    ``problems``: lines, with ``file:line``, on what in the file does not count.
    """

    id: str
    title: str
    executor: str = "agent"
    executor_name: str = "agent"
    agent: str = ""
    pre_conditions: Checks = ()
    acceptance: Checks = ()
    files: tuple[tuple[str, str], ...] = ()
    workflow: str = ""
    status: str = ""
    tasks: Checks = ()
    dev_record: str = ""
    qa_results: str = ""
    run: str = ""
    added_during: str = ""
    accepted: str = ""
    imported_from: str = ""
    imported_part: str = ""
    imported_as: str = ""
    problems: tuple[str, ...] = ()

    @property
    def open_conditions(self) -> tuple[str, ...]:
        return tuple(text for done, text in self.pre_conditions if not done)

    @property
    def open_criteria(self) -> tuple[str, ...]:
        return tuple(text for done, text in self.acceptance if not done)

    @property
    def open_tasks(self) -> tuple[str, ...]:
        return tuple(text for done, text in self.tasks if not done)


TICK = "limpet work story tick {} --pre WHICH"
ADD = 'limpet work story add "TITLE" --criterion "TEXT" --file PATH --executor agent'


def current_task(story: Story) -> tuple[int, str]:
    """Return number, from 1, and text of the first task that is not done; (0, "") for none."""
    return next(((place, text) for place, (done, text) in enumerate(story.tasks, 1) if not done), (0, ""))


def progress(story: Story) -> str:
    """Return ``task 2 of 3: Build the endpoint``, ``all 3 tasks done``, or "" for a story without tasks."""
    number, text = current_task(story)
    if number:
        return f"task {number} of {len(story.tasks)}: {text}"
    return f"all {len(story.tasks)} tasks done" if story.tasks else ""
