"""Reads ``/limpet``, ``$limpet`` in Codex, and its words as typed: hosts hand the raw line to the hook, whatever
they make of it."""

from __future__ import annotations

NAMES = ("limpet", "chati")
"""What the product is called when it is left; ``chati`` is what it was called before."""
SIGNS = ("/", "$")
"""What stands before it: Codex calls skills with the second."""
PLUGIN = "limpet:"
"""What clients put before the name of a plugin's skill."""
EXITS = ("exit", "stop", "quit")
ENTER, RESUME, STATUS, HELP, EXIT, SPEC = "enter", "resume", "status", "help", "exit", "spec"
# What moves the work: the agent does it, and is told how.
NEXT, FINISH, BACK = "next", "finish", "back"


def read_slash(prompt: str) -> tuple[str, str]:
    """Return (verb, the words behind it) of a prompt that opens with ``/limpet``; ("", "") of any other.

    The verb is resume, status, help, exit, spec, next, finish or back; enter for ``/limpet`` alone. An unknown word
    is help, and so is an exit with anything behind it, for that may mean something else.
    """
    words = prompt.split()
    if not words or words[0][:1] not in SIGNS or words[0][1:].lower().removeprefix(PLUGIN) not in NAMES:
        return "", ""
    if len(words) == 1:
        return ENTER, ""
    verb, rest = words[1].lower().rstrip(".!"), " ".join(words[2:])
    if verb in EXITS:
        return (HELP, "") if rest else (EXIT, "")
    return (verb, rest) if verb in (RESUME, STATUS, SPEC, NEXT, FINISH, BACK) else (HELP, rest)
