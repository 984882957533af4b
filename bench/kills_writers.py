"""What ``kills`` interrupts: the project that it plays in, and every command, event and job that writes.

A writer is what a person, a host or the hook starts; ``before`` are the commands that must have been done for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CLAUDE = ("--host", "claude-code")
TYPED = "Where is the endpoint?"
MEMORY, GONE, KEPT_BACK = "the JWT is signed by the endpoint", "the port is 8080", "the logs go to stdout"

# Confirmed one by one, before anything is interrupted. A name in braces is an id that an earlier command printed.
PROJECT: tuple[tuple[str, ...], ...] = (
    ("init", "--here", *CLAUDE, "--yes"),
    ("config", "set", "work.lock.instruction_file", "true", "--yes"),
    ("rules", "add", "API", "--recall", "endpoint, route", "--rule", "Version every endpoint."),
    ("rules", "add", "OLD", "--recall", "attic", "--rule", "Leave it."),
    ("work", "start", "quick-flow", "--name", "Harbour", "--fact", "files=2", "--confidence", "0.9", "--yes"),
    ("work", "set", "--task", "Build the quay"),
    ("work", "deviate", "scope_change", "export as CSV too"),
    ("work", "story", "add", "S-1", "Add the export", "--criterion", "A CSV file", "--task", "Write it"),
    ("work", "spec", "scan", "--write"),
    ("work", "spec", "backlog", "architecture", "Add a data flow diagram", "--priority", "high"),
    ("memory", "add", MEMORY, "--json"),
    ("memory", "add", GONE, "--json"),
    ("memory", "add", KEPT_BACK, "--json"),
    ("memory", "add", "--type", "gotcha", "pytest hangs without a terminal", "--json"),
    ("memory", "forget", "{1}"),
    ("memory", "forget", "--archive", "{2}"),
)
BACK: tuple[tuple[str, ...], ...] = (("work", "deviate", "--resolve"),)
EXIT: tuple[tuple[str, ...], ...] = (("resume",),)
REVOKED: tuple[tuple[str, ...], ...] = (("trust", "--revoke", "--yes"),)
BEGUN = ("work", "story", "start", "S-1")
OBSERVED = ("learn", "observe", "discovery", "Exports lock the table.", "--importance", "8")
BARE: tuple[tuple[str, ...], ...] = (("uninstall", "--here", "--yes", "--purge"),)


@dataclass(frozen=True)
class Writer:
    """Something that writes.

    ``words``: the command's arguments.
    ``hook``: the event that the hook is started with instead, and ``job`` the job of the second process.
    ``given``: the payload of the event, or the job's orders.
    ``before``: commands that are done first.
    ``again``: the exit codes with which it may end when it is done a second time.
    ``pulled``: lines that came into the project's settings since they were agreed to.
    ``moved``: the project's folder is elsewhere when it starts.
    """

    name: str
    words: tuple[str, ...] = ()
    hook: str = ""
    job: str = ""
    given: dict[str, Any] = field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()
    again: frozenset[int] = frozenset({0})
    pulled: str = ""
    moved: bool = False


def _command(name: str, *words: str, before: tuple[tuple[str, ...], ...] = (), once: bool = False) -> Writer:
    """Return a command; ``once``: what it did cannot be done a second time, and it says so."""
    return Writer(name, words, before=before, again=frozenset({0, 1}) if once else frozenset({0}))


def _event(name: str, event: str, **given: Any) -> Writer:
    return Writer(name, hook=event, given={"session_id": "talk", **given})


def _job(name: str, job: str, before: tuple[tuple[str, ...], ...] = (), **given: Any) -> Writer:
    return Writer(name, job=job, given=given, before=before)


TALK = {"session": "talk", "host": "claude-code", "transcript": "{transcript}", "now": "{now}"}

WRITERS: tuple[Writer, ...] = (
    _command("init", "init", "--here", *CLAUDE, "--yes", before=BARE),
    _command("init --shared", "init", "--here", *CLAUDE, "--shared", "--yes", before=BARE),
    _command("init --user", "init", "--here", *CLAUDE, "--user", "--yes"),
    _command("uninstall", "uninstall", "--here", "--yes"),
    _command("uninstall --purge", "uninstall", "--here", "--yes", "--purge"),
    _command("trust", "trust", "--yes", before=REVOKED),
    Writer("trust renewed", ("trust", "--yes"), pulled="recovery: {compactions: 9}\n"),
    Writer("trust taken over", ("trust", "--yes"), moved=True),
    _command("trust --revoke", "trust", "--revoke", "--yes"),
    _command("config set", "config", "set", "work.gate", "90", "--yes"),
    _command("rules add", "rules", "add", "NEW", "--recall", "new words", "--rule", "Be new.", once=True),
    _command("rules off", "rules", "off", "API"),
    _command("rules edit", "rules", "edit", "API", "--add-rule", "Name it.", "--add-recall", "handler"),
    _command("rules edit --rename", "rules", "edit", "OLD", "--rename", "elder", once=True),
    _command("rules remove", "rules", "remove", "OLD", "--yes", once=True),
    _command("work agent activate", "work", "agent", "activate", "dev"),
    _command("work agent deactivate", "work", "agent", "deactivate"),
    _command("work start", "work", "start", "quick-flow", "--fact", "files=2", "--afresh", "--yes", before=BACK),
    _command("work task", "work", "set", "--task", "Paint the quay"),
    _command("work mode", "work", "set", "--mode", "build", "--reason", "asked for"),
    _command("work approve", "work", "approve", "--override", "--reason", "the user said so", "--yes", before=BACK),
    _command("work deviate", "work", "deviate", "off_topic", "another matter"),
    _command("work resolve", "work", "deviate", "--resolve", once=True),
    _command("work story add", "work", "story", "add", "S-2", "Add it", "--criterion", "It is there", once=True),
    _command("work story tick", "work", "story", "tick", "S-1", "--criterion", "1"),
    _command("work story tick --note", "work", "story", "tick", "S-1", "--note", "Limits live in limits.py."),
    _command(
        "work handoff --write",
        "work",
        "handoff",
        "--write",
        "brief",
        "--to",
        "dev",
        "--summary",
        "Made.",
        "--decision",
        "A: B",
    ),
    _command("work spec scan", "work", "spec", "scan", "--write"),
    _command("work spec evaluate", "work", "spec", "evaluate", "architecture", "--answer", "components=yes"),
    _command("work spec log", "work", "spec", "log", "Rewrote the data flow section"),
    _command("work spec backlog", "work", "spec", "backlog", "architecture", "Name the queue", once=True),
    _command("work spec backlog --done", "work", "spec", "backlog", "architecture", "--done", "diagram", once=True),
    _command("resume", "resume"),
    _command("work exit", "work", "exit", before=EXIT),
    _command("memory add", "memory", "add", "the cache lives for an hour"),
    _command("memory edit", "memory", "edit", "{0}", "--title", "JWT, signed with EdDSA"),
    _command("memory edit", "memory", "edit", "{0}", "--storage", "durable"),
    _command("memory forget", "memory", "forget", "{0}", once=True),
    _command("memory forget --archive", "memory", "forget", "--archive", "{0}", once=True),
    _command("memory undo", "memory", "undo", "{1}", once=True),
    _command("memory edit --pin", "memory", "edit", "--pin", "{0}"),
    _command("memory upkeep", "memory", "upkeep"),
    _command("memory export", "memory", "export", "kept.json", once=True),
    _command("memory add --type gotcha", "memory", "add", "--type", "gotcha", "Migrations lock the table"),
    _command("memory edit --resolved", "memory", "edit", "{3}", "--resolved"),
    _command("learn observe", *OBSERVED, before=(BEGUN,)),
    _command("learn consolidate", "learn", "consolidate", before=(BEGUN, OBSERVED)),
    _command(
        "learn consolidate --undo",
        "learn",
        "consolidate",
        "--undo",
        before=(BEGUN, OBSERVED, ("learn", "consolidate")),
        once=True,
    ),
    # Of another conversation: the same start twice within seconds is one (decision 12).
    _event("hook start", "SessionStart", source="startup", session_id="fresh"),
    _event("hook prompt", "UserPromptSubmit", prompt=TYPED, prompt_id="p1", transcript_path="{transcript}"),
    _event("hook commands", "UserPromptSubmit", prompt="*work mode build\n*agent dev", prompt_id="p2"),
    _event("hook compaction", "PreCompact", trigger="auto", transcript_path="{transcript}"),
    _event("hook end", "SessionEnd", reason="exit", transcript_path="{transcript}"),
    _job("job capture", "capture", **TALK),
    _job("job continuation", "continuation", **TALK),
    _job(
        "job failure",
        "failure",
        **TALK,
        error="ImportError: x",
        tool="Bash python x",
        tool_use_id="t1",
        paths=[],
    ),
    _job("job upkeep", "upkeep", now="{now}"),
    _job("job refresh", "refresh", now="{now}"),
)
