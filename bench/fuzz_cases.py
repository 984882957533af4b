"""What the fuzzer plays: projects, conversations and edits made of hostile parts, all from one seed.

Apart from ``fuzz``, which runs them and judges. The parts are the shipped files and the recorded payloads of
``tests/fixtures``, whole and mutated, files made by the grammar with hostile words in them, and bytes of no sense.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

from fuzz_mutations import make_noise, make_odd, mutate
from fuzz_words import COMMANDS, NAMES, SESSIONS, SQUADS, TEXTS, WORDS

from limpet.ground.storage.scaffold import shipped_rules
from limpet.ground.workspace import workspace_at
from limpet.hosts.commands.lines import PACKAGE_ROOT
from limpet.rules.format.manifest import SUFFIXES
from limpet.work.session import new_session

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "claude-code"
FRAMEWORK = Path(PACKAGE_ROOT) / "limpet" / "framework"
EVENTS = ("UserPromptSubmit",) * 7 + ("SessionStart",) * 3 + ("PreCompact", "PostCompact", "Stop", "SubagentStop")


@dataclass
class Step:
    """An event to send, after ``edits`` were made to the project's files."""

    name: str
    payload: dict[str, object]
    edits: list[Callable[[], None]] = field(default_factory=list)


@dataclass
class Case:
    """A conversation in a project; ``kinds`` names the ingredients, ``spoilt`` says that caches of ours were tampered
    with, so that figures in them count for nothing."""

    root: str
    steps: list[Step]
    kinds: list[str]
    spoilt: bool


def make_case(random: Random, root: str) -> Case:
    """Make the project in the empty folder ``root``, and the conversation that is to be held in it."""
    return _Maker(random, root).make()


class _Maker:
    """The dice, the project's folder, and what was put into it."""

    def __init__(self, random: Random, root: str) -> None:
        self.random = random
        self.root = root
        self.kinds: list[str] = []
        self.spoilt = False

    def make(self) -> Case:
        self.write_rules(".limpet/rules")
        for name in self.random.sample(SQUADS, self.random.choice((0, 0, 1, 2, 4))):
            self.write_squad(f"squads/{name}")
        self.maybe(0.3, "constitution", ".limpet/constitution.md", self.constitution)
        self.maybe(0.25, "config", ".limpet/config.yaml", self.config)
        self.maybe(0.3, "session.yaml", self.kept("session.yaml"), self.project_session)
        self.maybe(0.4, "session.json", self.kept("sessions/s.json"), self.session)
        self.maybe(0.2, "status", self.cached("status/s.json"), self.status)
        self.maybe(0.5, "transcript", "transcript.jsonl", self.transcript)
        self.age()
        steps = [self.step(number) for number in range(self.random.randint(2, 6))]
        return Case(self.root, steps, self.kinds, self.spoilt)

    # Files

    def write_rules(self, folder: str) -> None:
        way = self.random.choice(("shipped", "shipped", "grammar", "grammar", "grammar", "bytes", "missing"))
        self.kinds.append(f"rules:{way}")
        if way == "shipped":
            for name, raw in shipped_rules(self.root).items():
                self.write(f"{folder}/{name}", mutate(self.random, raw) if self.random.random() < 0.2 else raw)
        elif way == "grammar":
            names = self.random.sample(NAMES, self.random.randint(1, 10))
            self.write(f"{folder}/manifest", self.manifest(names))
            for name in names:
                self.write(f"{folder}/{self.file_name(name)}", self.domain(name))
        elif way == "bytes":
            self.write(f"{folder}/manifest", make_noise(self.random))
            self.write(f"{folder}/global", make_noise(self.random))
        self.misplace(f"{folder}/manifest", 0.04)
        self.misplace(f"{folder}/qa", 0.06)

    def write_squad(self, folder: str) -> None:
        self.kinds.append("squad")
        rules = self.random.choice((".limpet/rules", ".synapse", ".synapse"))
        self.maybe(0.8, "squad.yaml", f"{folder}/squad.yaml", self.squad_yaml)
        names = self.random.sample(NAMES, self.random.randint(0, 5))
        self.write(f"{folder}/{rules}/manifest", self.manifest(names, os.path.basename(folder)))
        for name in names:
            self.write(f"{folder}/{rules}/{self.file_name(name)}", self.domain(name))
        self.misplace(f"{folder}/{rules}/manifest", 0.1)
        self.misplace(f"{folder}/squad.yaml", 0.1)

    def maybe(self, chance: float, kind: str, path: str, make: Callable[[], bytes | str]) -> None:
        if self.random.random() < chance:
            self.kinds.append(kind)
            made = make()
            raw = made if isinstance(made, bytes) else _encoded(made)
            self.write(path, mutate(self.random, raw) if self.random.random() < 0.35 else raw)
            self.misplace(path, 0.05)

    def cached(self, path: str) -> str:
        return os.path.join(workspace_at(self.root).cache, path)

    def kept(self, path: str) -> str:
        return os.path.join(workspace_at(self.root).state, path)

    def write(self, path: str, text: bytes | str) -> None:
        full = os.path.join(self.root, path)
        try:
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if os.path.lexists(full) and not os.path.isfile(full):
                os.unlink(full)
            with open(full, "wb") as file:
                file.write(text if isinstance(text, bytes) else _encoded(text))
        except (OSError, ValueError):  # a name that this file system takes no file by, or something stands there
            return

    def misplace(self, path: str, chance: float) -> None:
        """Now and then something that is no readable file stands in a file's place."""
        if self.random.random() >= chance:
            return
        full = os.path.join(self.root, path)
        kind = self.random.choice(("folder", "fifo", "loop", "nowhere", "device", "gone", "no-rights"))
        self.kinds.append(f"misplaced:{kind}")
        try:
            if kind == "no-rights":
                os.chmod(full, 0)
                return
            if os.path.lexists(full):
                os.unlink(full)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if kind == "folder":
                os.mkdir(full)
            elif kind == "fifo" and hasattr(os, "mkfifo"):
                os.mkfifo(full)
            elif kind != "gone":
                os.symlink({"loop": full, "nowhere": "nowhere", "device": "/dev/zero"}.get(kind, "nowhere"), full)
        except OSError:
            return

    def age(self) -> None:
        """Most files are older than the case, as in life; some come from the future."""
        private = workspace_at(self.root)
        for folder, _, names in chain(os.walk(self.root), os.walk(private.state), os.walk(private.shared)):
            for name in names:
                path = os.path.join(folder, name)
                when = self.random.choice((1_600_000_000, 1_700_000_000, 1_700_000_000, 4_000_000_000))
                if os.path.isfile(path) and self.random.random() < 0.9:
                    os.utime(path, (when, when))

    # Contents

    def manifest(self, names: list[str], squad: str = "") -> str:
        lines = [f"{name}{self.random.choice(SUFFIXES)}={self.value()}" for name in names for _ in range(3)]
        lines += [f"{name}_RECALL={self.keywords()}" for name in names if self.random.random() < 0.7]
        lines += [f"GLOBAL_EXCLUDE={self.keywords()}"] * (self.random.random() < 0.2)
        lines += [f"DOMAIN_ORDER={','.join(names)}"] * (self.random.random() < 0.2)
        lines += [f"DEVMODE={self.random.choice(('true', 'no'))}"] * (self.random.random() < 0.2)
        lines += [f"{squad.upper()}_EXTENDS={self.random.choice(('none', 'override', 'x'))}"] * bool(squad)
        lines += [self.random.choice(("# comment", "no divider", "=", "UNKNOWN=1", "", self.text()))]
        self.random.shuffle(lines)
        return self.random.choice(("\n", "\n", "\r\n", "\r", "\u2028")).join(lines)

    def file_name(self, name: str) -> str:
        return name.lower().replace("_", self.random.choice("-_")) + self.random.choice(("", "", ".env"))

    def value(self) -> str:
        plain = ("active", "inactive", "true", "no", "on", "", "maybe", "dev", "@dev", "release", "word", "substring")
        return self.random.choice((*plain, self.text(), self.keywords()))

    def keywords(self) -> str:
        return ",".join(self.random.choice(WORDS) for _ in range(self.random.randint(0, 9)))

    def domain(self, name: str) -> str:
        infixes = ("RULE_0", "RULE_1", "RULE_AUTH_1", "AUTH_2", "RULE_FRESH_0", "RULE_BRIEF_0", "RULE_ART1_0", "RULES")
        keys = [f"{self.random.choice((name, 'FRESH', 'OTHER', ''))}_{self.random.choice(infixes)}" for _ in range(8)]
        lines = [f"{key}={self.text()}" for key in keys] if self.random.random() < 0.8 else [self.text() for _ in keys]
        lines += [self.random.choice(("[*brief]", "[*", "FRESH_RULES=false", f"{name}_RULE_9=ok"))]
        return "\n".join(lines)

    def text(self) -> str:
        return self.random.choice((*TEXTS[:4], self.random.choice(TEXTS), self.random.choice(WORDS)))

    def constitution(self) -> str:
        heads = ("### XVII. Own (BLOCK)", "### I. Weaker (INFO)", "### ZZ. None (X)", "## In short", "### ", "### C.(")
        lines = [self.random.choice((*heads, f"- {self.text()}", self.text())) for _ in range(12)]
        return self.random.choice(("\n".join(lines), (FRAMEWORK / "constitution.md").read_text(encoding="utf-8")))

    def config(self) -> str:
        context = {
            "budgets": {"CRITICAL": self.random.choice((600, 800, 5000)), "FRESH": self.random.choice((600, 2500))},
            "reserve": self.random.choice((0.0, 0.15, 0.5)),
            "short_form_every": self.random.choice((0, 1, 10)),
            "window": self.random.choice((1000, 200_000)),
        }
        rules = {"devmode": self.random.random() < 0.3, "match": self.random.choice(("words", "word", "substring"))}
        return json.dumps(make_odd(self.random, {"context": context, "rules": rules}, 0.2))

    def project_session(self) -> str:
        fields = {
            "current_agent": self.random.choice(("dev", "nobody", "@pm", "none")),
            "workflow": self.random.choice(("release", "brownfield", "x\ny")),
            "squad": self.random.choice(SQUADS),
            "task": self.random.choice(("A title", {"id": "1.2", "title": self.text(), "executor": "worker"})),
            "mode": self.random.choice(("build", "clarity", "sideways")),
            "lock": self.text(),
        }
        chosen = self.random.sample(sorted(fields), 3)
        return json.dumps(make_odd(self.random, {name: fields[name] for name in chosen}, 0.2))

    def squad_yaml(self) -> str:
        mode = self.random.choice(("extend", "override", "none", '"none"', "None # why", "sideways", self.text()))
        return f"name: x\nextends: {mode}\n"

    def session(self) -> str:
        state = new_session("s", "claude-code", self.root, 1_700_000_000.0)
        state["stretch"] = {"began": 0, "stable": "x", "bracket": "FRESH", "sent": {"L6 QA": ["d", 1]}, "notes": ["n"]}
        state |= {"claims": [["prompt p 1", 9e12]], "overrides": {"QA": False, "DEVMODE": True}, "prompt_count": 9}
        state |= {"marker": {"at": "x", "confirmed": True, "size": 3}, "active_agent": "dev", "model": "claude-opus-5"}
        return json.dumps(make_odd(self.random, state, 0.5))

    def status(self) -> str:
        return json.dumps(make_odd(self.random, {"used": 150_000, "window": 200_000, "transcript_size": 3}, 0.4))

    def transcript(self) -> bytes:
        if self.random.random() < 0.3:
            return (FIXTURES / "transcript.jsonl").read_bytes()
        usage = {"input_tokens": self.random.choice((5, 90_000, 130_000, 160_000, 190_000)), "output_tokens": 9}
        answer = {"type": "assistant", "message": {"model": "claude-haiku-4-5", "usage": usage}}
        boundary = {"type": "system", "subtype": "compact_boundary"}
        lines = [self.random.choice((answer, answer, boundary, {"type": "user"})) for _ in range(6)]
        return b"\n".join(_encoded(json.dumps(make_odd(self.random, line, 0.3))) for line in lines) + b"\n"

    # A conversation

    def step(self, number: int) -> Step:
        name = self.random.choice(EVENTS)
        recorded = sorted(path for path in FIXTURES.glob(f"{name}*.json"))
        payload = json.loads(self.random.choice(recorded).read_text(encoding="utf-8"))
        payload |= {"session_id": self.random.choice(SESSIONS), "cwd": self.root}
        payload |= {"transcript_path": os.path.join(self.root, "transcript.jsonl"), "prompt_id": f"p{number}"}
        if name == "UserPromptSubmit":
            payload["prompt"] = self.prompt()
        payload = make_odd(self.random, payload, 0.15)
        return Step(name, payload if isinstance(payload, dict) else {}, [self.edit()] * (self.random.random() < 0.3))

    def prompt(self) -> str:
        parts = [self.random.choice((*WORDS, *COMMANDS, self.text())) for _ in range(self.random.randint(0, 12))]
        return self.random.choice((" ", " ", "\n", "")).join(parts)

    def edit(self) -> Callable[[], None]:
        """A change that somebody makes between two events: of rules, or of what we keep."""
        kinds = {
            "edit:rule": lambda: self.write(".limpet/rules/global", self.domain("GLOBAL")),
            "edit:manifest": lambda: self.write(".limpet/rules/manifest", self.manifest(list(NAMES[:5]))),
            "edit:squad": lambda: self.write_squad("squads/alpha"),
            "edit:plan": lambda: self.spoil(self.cached("plan")),
            "edit:state": lambda: self.spoil(self.kept("sessions/s.json")),
            "edit:mirror": lambda: self.spoil(self.cached("mirror.json")),
            "edit:misplaced": lambda: self.misplace(".limpet/rules/global", 1),
        }
        kind = self.random.choice(sorted(kinds))
        self.kinds.append(kind)
        self.spoilt = self.spoilt or kind in ("edit:plan", "edit:mirror")
        return kinds[kind]

    def spoil(self, path: str) -> None:
        full = os.path.join(self.root, path)
        if os.path.isfile(full):
            with open(full, "rb") as file:
                raw = file.read()
            self.write(path, mutate(self.random, raw))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
