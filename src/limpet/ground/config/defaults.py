"""The default settings: every number of the product, defined once, in force where no ``config.yaml`` sets it.

Sources: chati.dev V7.1 section 3 (brackets, layers, budgets), ADR-001 SYNAPSE (executors, layer names),
``docs/decisions.md``.
"""

# Bytes beyond which a file is not read, whatever the settings say: they come from such files themselves. A file of
# rules (a domain's, the constitution); what else is text, YAML or state (a manifest too, which may name thousands of
# domains); what we make of them; all files of rules together.
RULES_BYTES = 256 * 1024
STATE_BYTES = 1024 * 1024
CACHE_BYTES = 64 * 1024 * 1024
ALL_RULES_BYTES = 4 * 1024 * 1024
# Domains of a project and its squads together: a compilation of more does not end within a prompt.
MOST_DOMAINS = 12_000
# Characters of a line in which star-commands are looked for; what is typed behind one may be no longer.
TYPED_CHARACTERS = 100_000
# Commands of one prompt that are followed: more were pasted, not typed.
TYPED_COMMANDS = 100

# The layers of the block -> their functions in ``context/pipeline``, in running order: what may never be missing runs
# first, so that a slow layer cannot starve it. A layer is a row here and one in ``context/pipeline.LAYERS``.
# Layers of every bracket and executor -> the place in the document: after the task, and at the end of L3 and of L4.
PLACES = {"memory": "L4", "next": "L3 end", "asked": "L4 end"}
# Those that brackets and executors get by the settings.
ALL_LAYERS = ["L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7"]

DEFAULTS: dict[str, dict[str, object]] = {
    "context": {
        "brackets": {"FRESH": 60, "MODERATE": 40, "DEPLETED": 25},
        "handoff_below": 15,
        "budgets": {"FRESH": 2500, "MODERATE": 2000, "DEPLETED": 1500, "CRITICAL": 800},
        "layers": {
            "FRESH": ALL_LAYERS,
            "MODERATE": ALL_LAYERS,
            "DEPLETED": ["L0", "L1", "L2", "L7"],
            "CRITICAL": ["L0", "L1", "L7"],
        },
        "memory": {"FRESH": "relevant", "MODERATE": "metadata", "DEPLETED": "chunks", "CRITICAL": "full"},
        "executors": {
            "agent": {"layers": ALL_LAYERS, "memory": True},
            "worker": {"layers": ["L0", "L1"], "memory": False},
            "human": {"layers": ["L0", "L1", "L4"], "memory": False},
            "clone": {"layers": ["L0", "L1", "L2", "L4"], "memory": True},
        },
        "characters": 9500,
        "reserve": 0.15,
        "ceilings": {"constitution": 220, "mode_agent": 60, "agent": 700, "lock": 40, "handoff": 90, "next": 60},
        "short_form_every": 10,
        "short_form_characters": 600,
        "repeat_after": 10,
        "directory": {"tokens": 100, "domains": 5},
        # The rules that a file calls, when the agent first reads or edits it.
        "files": {"tokens": 600},
        "subagents": {"told": True, "tokens": 1200},
        # Of a model family that is not named below: as large as that of most that are new.
        "window": 1_000_000,
        # What Claude Code 2.1.329, Codex 0.169.0 and Gemini CLI 0.61.0 report for each model family.
        "windows": {
            "claude-3": 200_000,
            "claude-opus-4": 200_000,
            "claude-sonnet-4": 200_000,
            "claude-haiku-4": 200_000,
            "claude-opus-4-7": 1_000_000,
            "claude-opus-4-8": 1_000_000,
            "claude-opus-5": 1_000_000,
            "claude-sonnet-5": 1_000_000,
            "claude-haiku-5": 1_000_000,
            "claude-fable": 1_000_000,
            "claude-mythos": 1_000_000,
            "gpt-": 258_400,
            "gemini-": 1_048_576,
        },
        "tokens_per_prompt": 1500,
        # Of the processor; more than a tick by which Windows counts it, 16 ms. Memories take 50 ms among 10,000.
        "allowances_ms": {"L3": 20, "L4": 20, "L5": 20, "L6": 20, "memory": 200},
        "total_ms": 80,
    },
    "rules": {
        "full": False,
        "match": "words",
        "match_characters": 100_000,
        "devmode": False,
        "checks": {},
        "check_seconds": 30,
        "in_place": True,
    },
    "memory": {
        "capture": True,
        # Folders of other projects, from this one's, whose shared memories its agents get too.
        "reads": [],
        "recording": {"told": True},
        "capture_model": "",
        # Tokens and items of one call of that model, calls within 24 hours, and seconds that one may take.
        "extraction": {"tokens": 10_000, "items": 8, "calls_a_day": 12, "deadline_s": 120},
        "half_life_days": {"session": 1, "daily": 14, "durable": 90},
        "keep": 20_000,
        "idle_hours": 24,
        "undo_days": 30,
        "copies": 7,
        "confidence": {"told": 0.8, "inferred": 0.6, "step": 0.05},
        "share_evidence": 2,
        "durable_evidence": 5,
        "gotcha_times": 3,
        "gotcha_hours": 24,
        "tokens": {"relevant": 250, "metadata": 250, "chunks": 400, "full": 1000},
        "shown": {"relevant": 3, "metadata": 3, "chunks": 3, "full": 10},
        # Tokens of what the person wants always, at the start of an epoch: those of the block that others can spare.
        "wishes": {"FRESH": 1800, "MODERATE": 1400, "DEPLETED": 900, "CRITICAL": 300},
        "gate": {"words": 3, "evidence": 1.2, "identifier": 0.8, "near": 0.3},
        # The list of titles: with the first request of an epoch, and with a later one of at least so many words.
        "contents": {
            "words": 6,
            "shown": {"first": 25, "more": 13},
            "tokens": {"first": 800, "more": 400},
        },
        "least_relevance": 0.25,
        # Memories with a tool call that touches what they name, and wishes about what it begins; whether a commit, a
        # push or a release is refused once, and whether what was said long ago comes again before a turn ends.
        "deeds": {"shown": 2, "wishes": 8, "tokens": 240, "refuse": True, "at_stop": True},
        # What was said and does not stand alone: whether it is put to the agent, how much at once, and the days after
        # which what nobody wrote down is gone.
        "candidates": {"told": True, "asked": 2, "tokens": 200, "days": 90},
        # What the person said and did not look at yet: so many open a conversation.
        "heard": {"shown": 12},
        # Seconds in which a command, and the process behind the start of a session, read files that the index has not.
        "refresh": {"command_s": 4, "background_s": 60},
        "sessions": {"characters": 20_000_000, "passage": 1000},
    },
    "learning": {
        # Whether deeds (failed checks, gates, broken rules, corrections) are observed by themselves.
        "observe": True,
        "confidence_start": 0.6,
        "confidence_reinforce": 0.08,
        "confidence_weaken": 0.08,
        "confidence_contradict": 0.20,
        "confidence_archive": 0.2,
        "max_principles": 200,
        "max_anti_patterns": 100,
        "max_procedures": 50,
        "max_observations_per_story": 30,
        "briefing_confidence": 0.4,
        "briefing_entries": 15,
        "match": 0.6,
        "merge": 0.8,
        "anti_pattern_failures": 2,
        "anti_pattern_within": 3,
        "procedure_sources": 3,
        # From memory to rule: evidence, conversations, and the confidence that has to be passed.
        "rule_evidence": 5,
        "rule_conversations": 3,
        "rule_confidence": 0.9,
        "roles": {},
    },
    "work": {
        "mode": "planning",
        "gate": 95,
        "loops": 3,
        "approve": ["brief", "tasks"],
        "closed_kept": 20,
        "checks": {},
        "check_seconds": 900,
        "handoff": {"first_lines": 150, "second_lines": 500},
        "lock": {"instruction_file": False},
        "spec": {"backlog": 10, "log": 5, "hashes": 12, "cold_start_tokens": 700},
    },
    "agents": {
        # By which word of its name a model is known to be of a class, the lowest class first.
        "models": {"fast": ["haiku", "mini", "nano", "flash"], "balanced": ["sonnet"], "strong": ["opus", "pro"]},
    },
    "guard": {
        "permission": "",
        "unclear": "ask",
        "rules": {
            "secrets": True,
            "private": True,
            "registration": True,
            "authority": True,
            "stories": True,
            "destructive": True,
            "modes": True,
            "permission": True,
            "unclear": True,
        },
        "authority": {},
        "tools": {},
        "subagents": [],
        "secrets_in": [],
        "outside": [],
    },
    "hosts": {
        "visible": True,
        "status_line": True,
        "attended": [],
        "compiler_deadline_ms": 2500,
        "lock_patience_ms": 1500,
        "capture_deadline_ms": 8000,
        "refresh_deadline_ms": 600,
        "command_deadline_ms": 2500,
    },
    "recovery": {"spawn": "off", "compactions": 3, "score_drop": 15.0, "critical_streak": 3},
    "retention": {
        "days": 90,
        "metrics_bytes": 1_000_000,
        "events_bytes": 5_000_000,
        "rotated_files": 3,
        "archive_days": 30,
    },
}
