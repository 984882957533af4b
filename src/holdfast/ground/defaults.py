"""Every number of the product, once: what holds where no ``config.yaml`` says otherwise.

Sources: chati.dev V7.1 section 3 (brackets, layers, budgets), ADR-001 SYNAPSE (executors, layer names),
``docs/decisions.md``.
"""

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
        "memory": {"FRESH": "none", "MODERATE": "metadata", "DEPLETED": "chunks", "CRITICAL": "full"},
        "executors": {
            "agent": {"layers": ALL_LAYERS, "memory": True},
            "worker": {"layers": ["L0", "L1"], "memory": False},
            "human": {"layers": ["L0", "L1", "L4"], "memory": False},
            "clone": {"layers": ["L0", "L1", "L2", "L4"], "memory": True},
        },
        "characters": 9500,
        "reserve": 0.15,
        "ceilings": {"constitution": 220, "mode_agent": 60, "lock": 40, "handoff": 40},
        "short_form_every": 10,
        "short_form_characters": 600,
        "repeat_after": 10,
        "window": 200_000,
        # What Claude Code 2.1.329 reports for each model family; a family that is not named has ``window``.
        "windows": {
            "claude-opus-4-7": 1_000_000,
            "claude-opus-4-8": 1_000_000,
            "claude-opus-5": 1_000_000,
            "claude-sonnet-5": 1_000_000,
            "claude-haiku-5": 1_000_000,
            "claude-fable": 1_000_000,
            "claude-mythos": 1_000_000,
        },
        "tokens_per_prompt": 1500,
        "allowances_ms": {"L2": 15, "L3": 15, "L4": 20, "L5": 20, "L6": 15},
        "total_ms": 80,
    },
    "rules": {"match": "words", "match_characters": 100_000, "devmode": False},
    "memory": {},
    "learning": {},
    "work": {"mode": "planning"},
    "guard": {"permission": "ask"},
    "hosts": {"compiler_deadline_ms": 2500, "lock_patience_ms": 1500},
    "recovery": {"spawn": "off"},
    "retention": {"days": 90, "metrics_bytes": 1_000_000, "events_bytes": 5_000_000, "rotated_files": 3},
}
