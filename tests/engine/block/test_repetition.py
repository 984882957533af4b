"""Decision 5 over whole conversations: what is said once a stretch, what is said again, and when nothing is said."""

import os
import re
import tempfile
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from limpet.context.usage import bracket_of
from limpet.ground.workspace import workspace_at

from ...conftest import write_settings
from ...conversation import Conversation, write, write_rules
from ...soak.scale import amount
from ...strategies import CONTEXT

MANIFEST = "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nRELEASE_RECALL=deploy\nQA_RECALL=testing\n"
BRACKET_RULES = "".join(f"{name}_RULE_0=Now {name}.\n" for name in ("FRESH", "MODERATE", "DEPLETED", "CRITICAL"))
WITHDRAWN = re.compile(r"(No longer in force|Changed): (.*?)\. Ignore")
KEYWORDS = {"RELEASE": "deploy", "QA": "testing"}
WITH_DOMAINS = ("FRESH", "MODERATE")
FILL = {"FRESH": 20_000, "MODERATE": 100_000, "DEPLETED": 140_000, "CRITICAL": 160_000, "last drop": 175_000}


class Stretch:
    """What one stretch of the conversation was told so far."""

    def __init__(self):
        self.stable = None
        self.parts = {}
        self.bracket = None
        self.reminded = 0
        self.domains = {}
        self.off = {}
        self.rules = {}


class Repetition(RuleBasedStateMachine):
    """A model of decision 5 beside the product: after every event both say the same."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.environment = patch.dict(os.environ, {"XDG_CONFIG_HOME": os.path.join(self.folder.name, "user")})
        self.environment.start()
        self.workspace = workspace_at(os.path.join(self.folder.name, "project"))
        self.versions = {"GLOBAL": 0, "RELEASE": 0, "QA": 0}
        self.facts = {"agent": None, "mode": None, "permission": None, "GLOBAL": 0}
        self.prompts = 0
        self.used = 0
        self.stretch = Stretch()
        self.unsettled = False

    def teardown(self):
        self.environment.stop()
        self.folder.cleanup()

    @initialize()
    def open_project(self):
        write_rules(self.workspace, MANIFEST, context=BRACKET_RULES)
        # Advice to go on elsewhere is a note, and notes have tests of their own.
        settings = "recovery: {compactions: 0, critical_streak: 0}\n"
        write_settings(self.workspace, settings)
        for name in self.versions:
            self.edit(name)
        self.conversation = Conversation(self.workspace)
        self.conversation.log({"type": "mode"})

    # What happens

    @rule(source=st.sampled_from(["startup", "clear"]))
    def start_anew(self, source):
        os.unlink(self.conversation.transcript)
        self.conversation.log({"type": "mode"})
        self.used, self.stretch, self.unsettled = 0, Stretch(), False
        self.check(self.conversation.start(source), starting=True)

    @rule()
    def resume(self):
        self.check(self.conversation.start("resume"), starting=True)

    @rule(noted_before=st.booleans())
    def compact(self, noted_before):
        """As Claude Code does it, whichever of boundary line and session start comes first."""
        assert self.conversation.send("pre_compact", source="auto") is None
        if noted_before:
            self.conversation.bound()
        self.used, self.stretch = 0, Stretch()
        self.check(self.conversation.start("compact"), starting=True)
        if not noted_before:
            self.conversation.bound()
        self.unsettled = True
        assert self.conversation.send("post_compact", source="auto") is None

    @precondition(lambda self: not self.unsettled)
    @rule()
    def compact_untold(self):
        """The event of it was lost: only the transcript tells."""
        self.conversation.bound()
        self.used, self.stretch = 0, Stretch()
        self.prompt([])

    @rule()
    def give_up_compaction(self):
        assert self.conversation.send("pre_compact", source="manual") is None

    @rule(fill=st.sampled_from(sorted(FILL)))
    def answer(self, fill):
        self.used = FILL[fill]
        self.conversation.use(self.used)

    @rule(domains=st.lists(st.sampled_from(sorted(KEYWORDS)), unique=True), times=st.sampled_from([1, 1, 2, 5]))
    def prompt(self, domains, times=1):
        for _ in range(times):
            self.say(" ".join(KEYWORDS[name] for name in domains), domains=domains)

    @rule(agent=st.sampled_from(["dev", "architect", "none"]))
    def switch_agent(self, agent):
        self.facts["agent"] = None if agent == "none" else agent
        self.say(f"*agent {agent}", command="agent")

    @rule(mode=st.sampled_from(["planning", "build", "deploy"]))
    def switch_mode(self, mode):
        self.facts["mode"] = mode
        domains = ["RELEASE"] if mode == "deploy" else []
        self.say(f"*work mode {mode}", command="work", domains=domains)

    @rule(permission=st.sampled_from(["explore", "ask", "auto"]))
    def switch_permission(self, permission):
        self.facts["permission"] = permission
        self.say(f"*mode {permission}", command="mode")

    @rule()
    def reload(self):
        self.stretch = Stretch()
        self.say("*limpet reload", command="limpet")

    @rule(name=st.sampled_from(["GLOBAL", "RELEASE", "QA"]))
    def edit(self, name):
        self.versions[name] += 1
        if name == "GLOBAL":
            self.facts["GLOBAL"] = self.versions[name]
        write(self.workspace.path("rules", name.lower()), f"{name}_RULE_0=Version {self.versions[name]}.\n")

    # What must be said

    @property
    def remaining(self):
        return 100 - self.used / 2000

    @property
    def bracket(self):
        return bracket_of(self.remaining, CONTEXT)

    def say(self, text, domains=(), command=""):
        self.prompts += 1
        self.unsettled = False
        self.check(self.conversation.prompt(text), domains=domains, command=command)

    def check(self, block, domains=(), command="", starting=False):
        due = self.expect(domains, command, starting)
        if block is None:
            assert not any(due.values()), due
            return
        assert any(due.values()), block
        said = {rules["domain"]: rules["lines"] for rules in block["rules"]}
        assert block["bracket"] == self.bracket
        told = {kind: set(names.split(", ")) for kind, names in WITHDRAWN.findall("; ".join(block["notes"]))}
        assert len(told) == len(block["notes"])
        assert (told.get("No longer in force", set()), told.get("Changed", set())) == (due["gone"], due["changed"])
        assert bool(block["constitution"]) == ("constitution" in due["parts"])
        assert ("GLOBAL" in said) == ("GLOBAL" in due["parts"])
        assert bool(block["mode"]) == ("mode" in due["parts"])
        assert ("CONTEXT" in said) == due["bracket rules"]
        assert ("CONTEXT" not in said) or said["CONTEXT"] == [f"Now {self.bracket}."]
        assert {name: said[name] for name in KEYWORDS if name in said} == due["full"]
        assert set(block["in_force"]) == set(due["in force"])
        assert {phrase.partition(":")[0] for phrase in block["left_out"]} == set(due["off"])
        assert (block["handoff_warning"] is not None) == due["handoff"]
        assert [found["name"] for found in block["commands"]] == ([command] if command else [])
        self.check_reminder(block, due)

    def check_reminder(self, block, due):
        assert (block["reminder"] is not None) == due["short form"]
        told = self.facts["agent"] if "agent" in due["parts"] or due["scope"] else None
        assert (block["agent"] or {}).get("name") == told
        if due["short form"]:
            text = self.conversation.text
            element = text[text.index("<reminder>") : text.index("</reminder>") + len("</reminder>")]
            assert len(element) <= 600
            mode = self.in_force()["mode"]
            assert (f"mode {mode}" in element) == bool(mode)
            assert self.facts["agent"] is None or f"agent {self.facts['agent']}" in element
            assert ("Story first" in element) == bool(self.facts["agent"])

    def in_force(self):
        """The facts as the block tells them: mode and permission are said where they were set."""
        return dict(self.facts)

    def expect(self, domains, command, starting):
        """What is due by decision 5; the stretch remembers that it was said."""
        stretch, bracket, number = self.stretch, self.bracket, self.prompts
        stable = stretch.stable != self.in_force()
        changed = stretch.bracket not in (None, bracket)
        speaking = list(domains) if bracket in WITH_DOMAINS else []
        full = [name for name in speaking if self.is_due(stretch.domains.get(name), self.versions[name])]
        silent = [name for name in domains if name not in speaking]
        off = [name for name in silent if self.is_due(stretch.off.get(name), 0)]
        parts = self.parts() if stable else stretch.parts
        due = {
            "parts": {name for name, value in parts.items() if value and value != stretch.parts.get(name)},
            "short form": not stable and not starting and (changed or number - stretch.reminded >= 10),
            "scope": changed and not (stable or starting or bracket in WITH_DOMAINS) and bool(self.facts["agent"]),
            "bracket rules": changed or stretch.bracket is None,
            "full": {name: [f"Version {self.versions[name]}."] for name in full},
            "in force": [name for name in speaking if name not in full],
            "off": off,
            "handoff": self.remaining < 15,
            "command": bool(command),
            **self.withdraw(full, stable),
        }
        stretch.domains |= {name: (self.versions[name], number) for name in full}
        stretch.off |= dict.fromkeys(off, (0, number))
        stretch.stable, stretch.bracket = self.in_force(), bracket
        stretch.parts = parts
        stretch.reminded = number if due["parts"] or due["short form"] else stretch.reminded
        return due

    def parts(self):
        """The stable part, of which each piece is sent where it became another one."""
        facts = self.facts
        manner = (facts["mode"], facts["permission"])
        return {
            "constitution": f"at work: {bool(facts['agent'])}",
            "GLOBAL": f"version {facts['GLOBAL']}",
            "mode": manner if any(manner) else None,
            "agent": facts["agent"],
        }

    def withdraw(self, full, stable):
        """What was sent and does not hold any more, or not as it was sent."""
        rules, agent = self.stretch.rules, f"agent {self.facts['agent']}"
        gone = {name for name in rules if name.startswith("agent ") and name != agent}
        changed = {name for name in rules if name in self.versions and rules[name] != self.versions[name]}
        kept = {name: version for name, version in rules.items() if name not in gone | changed}
        sent = [*full, *(["GLOBAL"] if stable else [])]
        self.stretch.rules = kept | {name: self.versions[name] for name in sent}
        if stable and self.facts["agent"]:
            self.stretch.rules[agent] = 0
        return {"gone": gone, "changed": changed}

    def is_due(self, told, version):
        return told is None or told[0] != version or self.prompts - told[1] >= 10


Repetition.TestCase.settings = settings(
    max_examples=amount(5, 200),
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
TestRepetition = Repetition.TestCase
