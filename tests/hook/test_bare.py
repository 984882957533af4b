"""A hook is started without other packages: whatever a person types has its answer there too."""

import pytest

from limpet.engine.commands.star import ACTING, RULE_VERBS

from ..hook_host import STARTED, notes

WORDS = {
    "remember": "The staging database is reset every night",
    "recall": "staging database",
    "forget": "staging",
    "gotcha": "Port 5432 is taken by the old proxy",
    "private": "",
    "agent": "dev",
    "work": "task Export",
    "develop": "S-1",
    "mode": "explore",
}
LIMPET = {
    "create": "BILLING invoice, billing",
    "add": "GLOBAL Amounts are in cents.",
    "edit": "GLOBAL 1 Amounts are in cents.",
    "suggest": "GLOBAL",
    "diagnose": "",
}
TYPED = [
    *(f"*{name} {WORDS.get(name, '')}" for name in ACTING),
    *(
        f"*limpet {verb} {LIMPET.get(verb, '')}"
        for verb in (*RULE_VERBS, "help", "status", "domains", "session", "debug")
    ),
]


@pytest.mark.parametrize("typed", TYPED)
def test_what_is_typed_is_answered(host, memories, typed):
    """Each star-command, in a project with a memory that its words name."""
    memories.add(title="The staging database is reset every night")
    answer = host.send("UserPromptSubmit", process=STARTED, prompt=typed.strip())
    assert (answer.code, answer.err) == (0, b"")
    assert answer.out and [note for note in notes(answer) if "Error" in note] == []
