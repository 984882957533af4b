"""The line ``/limpet ...`` that a person types, taken apart. Not in ``lock``, because the switch of privacy is looked
for in every prompt that opens with a sign."""

from __future__ import annotations

SIGNS = ("/", "$")
"""What stands before the name: Codex calls skills with the second."""
NAMES = ("limpet", "chati")
"""What the product is called when it is left; ``chati`` is what it was called before."""
PLUGIN = "limpet:"
"""What clients put before the name of a plugin's skill."""
EXITS = ("exit", "stop", "quit")
# The words of every day. The first stands for ``/limpet`` alone, the last for a word that is none of these.
FRONT, HELP, PRIVATE, UNKNOWN = "front", "help", "private", "unknown"
REMEMBER, RECALL, FORGET, KEEP, REVIEW, WHY = "remember", "recall", "forget", "keep", "review", "why"
EVERY_DAY = (REMEMBER, RECALL, WHY, REVIEW, KEEP, FORGET, HELP, PRIVATE)
# The words of the work behind ``/limpet work``, for which ``enter`` stands alone, and ``explain`` for one that is none
# of them. They are understood without it too.
WORK, ENTER, EXPLAIN = "work", "enter", "explain"
RESUME, STATUS, EXIT, SPEC, NEXT, FINISH, BACK = "resume", "status", "exit", "spec", "next", "finish", "back"
MOVING = (RESUME, STATUS, SPEC, NEXT, FINISH, BACK)
# What changes something by itself, so that nobody but the person may type it.
ACTING = (ENTER, RESUME, EXIT, REMEMBER, FORGET, KEEP, PRIVATE)


def read_slash(prompt: str) -> tuple[str, str]:
    """Return (verb, the words behind it) of a prompt that opens with ``/limpet``; ("", "") of any other. With an
    unknown verb the words begin with what was typed. An exit with anything behind it explains the work, for that may
    mean something else."""
    words = prompt.split()
    if not words or words[0][:1] not in SIGNS or words[0][1:].lower().removeprefix(PLUGIN) not in NAMES:
        return "", ""
    verb = words[1].lower().rstrip(".!") if len(words) > 1 else FRONT
    if verb == WORK:
        return _read_work(words[2:], EXPLAIN) if len(words) > 2 else (ENTER, "")
    if verb in (FRONT, *EVERY_DAY):
        return verb, " ".join(words[2:])
    return _read_work(words[1:], UNKNOWN)


def _read_work(words: list[str], otherwise: str) -> tuple[str, str]:
    verb, rest = words[0].lower().rstrip(".!"), " ".join(words[1:])
    if verb in EXITS:
        return (EXPLAIN, "") if rest else (EXIT, "")
    return (verb, rest) if verb in MOVING else (otherwise, " ".join(words))
