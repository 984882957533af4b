"""The modules that may be on the prompt path: all that the hook imports for a prompt, a start and a compaction.

A test compares this with what each of those events imports, both ways. Hosts and formats of transcripts declare their
own modules (``PROMPT_PATH``), which ``hosts.registry`` gathers.
"""

from __future__ import annotations

from collections.abc import Iterable

# For every event: ``os`` with what it brings, and small modules in C for locks, JSON and hashes. What is built into the
# interpreter (``sys``, ``time``, ``gc``, ``marshal``) costs nothing and is not named.
STANDARD_LIBRARY = frozenset(
    (
        *("__future__", "os", "os.path", "stat", "posixpath", "ntpath", "genericpath", "_collections_abc"),
        *("fcntl", "msvcrt", "_json", "_blake2"),
    )
)
# For a prompt that finds memories.
OF_MEMORIES = frozenset(("_sqlite3", "math"))
# For a prompt with a command that gives rights: which agents are above the client.
OF_RIGHTS = frozenset(
    f"holdfast.{name}" for name in ("ground.processes", "hosts.surroundings", "operations", "operations.surroundings")
)
# For a prompt beyond ASCII, whose accents and scripts are folded.
OF_SCRIPTS = frozenset(("unicodedata",))
# For a tool call that writes a text, in which secrets are looked for, and for one that is parsed.
OF_PATTERNS = frozenset(
    "re re._casefix re._compiler re._constants re._parser enum types functools collections collections.abc copyreg"
    " keyword operator reprlib math".split()
)
OF_THE_PARSER = frozenset(("select",))

# Of this package, by room; the packages around them come along.
ROOMS = {
    "context": "block brackets fitting pipeline repetition request usage values",
    "context.layers": "agent commands constitution domains memory mode next pipeline squad task",
    "engine": "event_context events messages record worker",
    "engine.block": "agent choose figures quoting recall recovery request sameness",
    "engine.commands": "agent opening star",
    "engine.steps": (
        "block commands continuation epoch leftovers recording recovery registration state takeover upkeep window"
    ),
    "ground": "clock digest errors event process values workspace",
    "ground.config": "defaults mirror sources",
    "ground.formats": "json_text",
    "ground.prompt_path": "sqlite",
    "ground.event_log": "append files",
    "ground.storage": "confinement drafts files json_lines last_seen names user_folders",
    "ground.text": "escaping languages stems stop_words tokens words",
    "ground.trust": "consent identity key signed",
    "hosts": "registration registry",
    "memory": "personal",
    "memory.index": "database filters reading terms wishes",
    "memory.model": "access attention card entry layout sectors tiers types",
    "memory.search": "common_terms frequencies gate postings preferences prompt_words",
    "roles": "compiled roster",
    "rules": "layout matching",
    "rules.format": "domain key_value star_commands",
    "rules.plan": "plan squads store",
    "transcripts": "reading registry tail",
    "work": "conversation in_force modes private session",
    "work.recovery": "criteria",
}
# Before a tool call: the guard, and what it must know of the project and the conversation.
ROOMS_OF_TOOLS = {
    "context": "block",
    "engine": "event_context events files record",
    "engine.guard": "answer scene",
    "ground": "clock digest errors event values workspace",
    "ground.config": "defaults mirror sources",
    "ground.event_log": "append files",
    "ground.formats": "json_text",
    "ground.safety": "assigned_secrets hints likely random_tokens redaction secret_patterns",
    "ground.storage": "confinement drafts files json_lines names user_folders",
    "ground.text": "escaping globs tokens",
    "ground.trust": "consent identity key signed",
    "guard": "acts call case code_acts judge places programs reading scene table verdict",
    "guard.rules": "authority destructive permission private registration scopes secrets story_sections"
    " switching unclear",
    "guard.shell.code": "calls languages strings tokens",
    "guard.shell": "builtins carriers command escapes expansion options parameters printing redirections"
    " running scripts shfmt simple state understand walk wrappers",
    "hosts": "registry",
    "roles": "roster",
    "rules": "globs",
    "rules.plan": "plan store",
    "work": "conversation in_force private session",
}


def _named(rooms: dict[str, str]) -> tuple[str, ...]:
    return tuple(f"holdfast.{room}.{name}" for room, names in rooms.items() for name in names.split())


MODULES, OF_TOOLS = _named(ROOMS), _named(ROOMS_OF_TOOLS)
# What most prompts do not need: star-commands, memories, the jobs that an event starts and the tidying at a start. The
# bundle keeps it packed until it is asked for, which spares those prompts a fifth of the reading.
LATER = (
    *("holdfast.engine.messages", "holdfast.engine.commands.", "holdfast.memory.index.", "holdfast.memory.search."),
    *("holdfast.agents.", "holdfast.memory.personal", "holdfast.roles.compiled"),
    "holdfast.engine.block.agent",
    *("holdfast.engine.worker", "holdfast.engine.steps.leftovers", "holdfast.engine.steps.upkeep"),
    "holdfast.engine.steps.registration",
    "holdfast.engine.steps.takeover",
    *("holdfast.ground.process", "holdfast.ground.storage.last_seen", "holdfast.ground.prompt_path.sqlite"),
    *("holdfast.ground.text.stop_words", "holdfast.memory.model.attention", "holdfast.memory.model.sectors"),
    *("holdfast.memory.model.tiers", "holdfast.memory.model.types"),
    # Of tool calls: what only a shell command needs.
    *("holdfast.guard.shell.", "holdfast.guard.programs", "holdfast.guard.acts", "holdfast.guard.code_acts"),
    *("holdfast.guard.reading", "holdfast.ground.safety."),
    # And what only a project needs whose rules name files.
    *("holdfast.engine.files", "holdfast.rules.globs"),
)
# Those that run before the bundle is read, and are never in it.
BEFORE_THE_BUNDLE = ("holdfast.hook", "holdfast.ground.prompt_path.bundle")


def with_packages(names: Iterable[str]) -> tuple[str, ...]:
    """Return the modules and the packages around them, each once."""
    parts = [name.split(".") for name in names]
    return tuple(dict.fromkeys(".".join(each[:length]) for each in parts for length in range(1, len(each) + 1)))
