"""The names that people give to the parts of a story; plain data, because the guard's hook reads it."""

from __future__ import annotations

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
    "acceptance": ("acceptance criteria", "acceptance", "criterios de aceite", "criterios de aceitacao"),
    "files": ("file list", "files", "lista de arquivos", "arquivos"),
    "tasks": ("tasks", "tasks subtasks", "tarefas", "tarefas subtarefas"),
    "dev_record": ("dev agent record", "registro do agente dev", "registro do agente de desenvolvimento"),
    "qa_results": ("qa results", "resultados de qa", "resultados do qa"),
}
"""Field -> the headings under which it stands in the Markdown, as ``markdown.heading_key`` gives them."""
