"""The projects that ``hook`` times: rules, squads and memories as many as wanted, and a long transcript."""

from __future__ import annotations

import json
import os
import subprocess
import time
from itertools import islice, product

from coding_memories import make_entries
from entry_index import index_entries
from memory_speed import make_texts

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.settings import offered_settings
from limpet.ground.digest import digest
from limpet.ground.event import Event
from limpet.ground.storage.files import write_atomic
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import Workspace, workspace_at
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.layout import MemoryPlace, memories, write_place
from limpet.operations.mirror import refresh_mirror
from limpet.work.project import change_project

IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")
TRANSCRIPT = "transcript.jsonl"
TRANSCRIPT_LINES = 800
WINDOW, USED = 200_000, 20_000
RULES, KEYWORDS = 6, 4
SQUADS_BESIDE = 100
SQUAD_DOMAINS = 2
OF_QUESTIONS = 400
SYLLABLES = ("ka", "lo", "mi", "ru", "ven", "tos", "dar", "pel", "nix", "gol")


def make_project(root: str, domains: int, more: str = "") -> Workspace:
    """The shipped rules and ``domains`` more, an active agent, settings, and a transcript with usage."""
    workspace = workspace_at(root)
    write_atomic(workspace.path("rules", "manifest"), "".join(map(_manifest_lines, range(domains))))
    for number in range(domains):
        rules = (f"BENCH{number}_RULE_{rule}={_rule(number, rule)}\n" for rule in range(RULES))
        write_atomic(workspace.path("rules", f"bench{number}"), "".join(rules))
    write_atomic(os.path.join(root, TRANSCRIPT), "".join(_transcript_lines()))
    _write_settings(workspace, more)
    give_trust(workspace, offered_settings(workspace), time.time())
    change_project(workspace, lambda _: {"current_agent": "dev"})
    refresh_mirror(workspace)
    return workspace


def _write_settings(workspace: Workspace, more: str) -> None:
    """``more``: of the context's, in YAML's flow style."""
    write_atomic(workspace.path("config.yaml"), f"context: {{window: {WINDOW}, {more}}}\n")


def make_repository(root: str) -> None:
    """A git repository of what is there, committed."""
    for words in (("init", "-q"), ("add", "-A"), (*IDENTITY, "commit", "-qm", "x")):
        subprocess.run(("git", *words), cwd=root, check=True)


def make_squad(root: str, number: int) -> None:
    """A squad with two domains, its keywords those of domains behind the project's own."""
    folder = os.path.join(root, "squads", f"squad-{number}")
    numbers = range(SQUADS_BESIDE + number * SQUAD_DOMAINS, SQUADS_BESIDE + (number + 1) * SQUAD_DOMAINS)
    write_atomic(os.path.join(folder, "squad.yaml"), f"name: squad-{number}\nextends: extend\n")
    write_atomic(os.path.join(folder, ".limpet", "rules", "manifest"), "".join(map(_manifest_lines, numbers)))
    for domain in numbers:
        rules = "".join(f"BENCH{domain}_RULE_{rule}={_rule(domain, rule)}\n" for rule in range(RULES))
        write_atomic(os.path.join(folder, ".limpet", "rules", f"bench{domain}"), rules)


def _manifest_lines(number: int) -> str:
    return f"BENCH{number}_STATE=active\nBENCH{number}_RECALL={', '.join(keywords(number))}\n"


def keywords(number: int) -> list[str]:
    """Words that no other domain has."""
    begin = number * KEYWORDS
    return ["".join(reversed(parts)) for parts in islice(product(SYLLABLES, repeat=5), begin, begin + KEYWORDS)]


def _rule(number: int, rule: int) -> str:
    return f"Rule {rule} of domain {number}: check inputs at the border, and name the file and line that you rely on."


def _transcript_lines(used: int = USED) -> list[str]:
    """Turns of user and assistant, the last of which tells the usage that counts."""
    lines: list[str] = []
    for number in range(TRANSCRIPT_LINES // 2):
        user = {"type": "user", "message": {"role": "user", "content": "Text of a request or a tool's answer. " * 20}}
        usage = {"input_tokens": 12, "cache_read_input_tokens": used + number, "output_tokens": 300}
        content = [{"type": "text", "text": "Text of an answer. " * 30}]
        message = {"role": "assistant", "model": "claude-haiku-4-5", "content": content, "usage": usage}
        lines += [json.dumps(user) + "\n", json.dumps({"type": "assistant", "message": message}) + "\n"]
    return lines


def make_alike(number: int) -> list[MemoryEntry]:
    """So many memories in much the same words: the hardest for a search."""
    return make_entries(number, time.time())


def make_varied(number: int) -> list[MemoryEntry]:
    """So many memories, of which some are about what ``make_question`` asks for and the rest are about anything."""
    about = min(OF_QUESTIONS, number)
    texts = make_texts(number - about)
    others = make_entries(number, time.time())[about:]
    pairs = zip(others, texts, strict=True)
    return [
        *make_alike(about),
        *(entry.replace(title=" ".join(text[:90].split()), body=text) for entry, text in pairs),
    ]


def talk_in(root: str, name: str = "steady") -> str:
    """The id of a conversation in this project and in no other."""
    return f"{name}-{digest(root)}"


def make_memories(workspace: Workspace, entries: list[MemoryEntry], left: int, more: str = "") -> None:
    """These memories, shared, in the index; a transcript that leaves ``left`` percent of the window; and a conversation
    that was begun."""
    places = (write_place(MemoryPlace(owner="shared", storage=entry.storage), f"{entry.id}.md") for entry in entries)
    os.makedirs(memories(workspace.shared))
    _write_settings(workspace, more or "allowances_ms: {memory: 5000}")
    give_trust(workspace, offered_settings(workspace), time.time())
    refresh_mirror(workspace)
    index_entries(workspace.shared, zip(places, entries, strict=True), DEFAULTS["memory"], time.time())
    used = WINDOW * (100 - left) // 100
    write_atomic(os.path.join(workspace.root, TRANSCRIPT), "".join(_transcript_lines(used)))
    start = Event("session_start", "claude-code", session=talk_in(workspace.root), cwd=workspace.root, source="fork")
    handle(start, workspace, Clock())
