"""Rows that ``limpet status`` and its ``--watch`` both show."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from limpet.cli.output import counted
from limpet.context.rules_layers import PERMISSIONS
from limpet.ground.clock import seconds_of

Row = tuple[str, str]


def work_rows(data: dict[str, Any]) -> Iterator[Row]:
    for name in ("agent", "mode", "permission", "workflow", "task", "squad"):
        value = data[name]
        if value and name == "permission":
            yield name, f"[{value}] {PERMISSIONS.get(value, '')}".rstrip()
        elif value:
            yield name, str(value.get("title") or value.get("id")) if isinstance(value, dict) else str(value)
    if data["lock"]:
        yield "session lock", f"since {ago(data['lock'])}"
    if found := data["extraction"]:
        cost = f"{found['tokens_in']:,} tokens in, {found['tokens_out']:,} out, {found['money']:.4f} USD"
        last = f"; last {ago(found['last'])}: {found['outcome'] or 'no outcome yet'}" if found["calls"] else ""
        model = found["model"] or "none any more"
        yield "model", f"{model}: {counted(found['calls'], 'call')} in 30 days, {cost}{last}"


def ago(stamp: object) -> str:
    at = seconds_of(stamp)
    if not at:
        return str(stamp)
    passed = time.time() - at
    for seconds, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if passed >= seconds:
            return f"{counted(int(passed // seconds), unit)} ago"
    return "just now"


def memories_in_words(counts: dict[str, int]) -> str:
    new = [f"{counts[name]} {name}" for name in ("heard", "written") if counts[name]]
    kept = f"{counts['kept']} kept"
    return f"{kept}; {' and '.join(new)}, not looked at yet.\nRun: limpet review" if new else kept
