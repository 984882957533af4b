"""Decay over a simulated year: what nobody uses fades and stays, what is used is warm, and being shown is no use.

Entries are written over the first part of the year. In each session the hook shows some, and a few are opened or
confirmed; the events go through the reading of the log as they would from a file, and the daily maintenance is planned
and applied. The clock is a number: nothing waits.

    python bench/decay.py [--entries 2000] [--sessions 400] [--seed 7] [--plot FILE.svg] [--json] [--check]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from limpet.ground.clock import iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.values import Value
from limpet.memory.files.store import ACCESSED, CONFIRMED, SHOWN, accesses
from limpet.memory.model.attention import DAY, current_tier
from limpet.memory.model.entry import SECTOR_OF, Card
from limpet.memory.model.results import SHOWN as SHOWN_USE
from limpet.memory.upkeep import Action, Archive, UpkeepContext, plan_upkeep

SETTINGS = DEFAULTS["memory"]
BEGIN = 1_767_225_600.0  # 2026-01-01
YEAR = 365
# Days in which entries are written: the youngest has time left to fade.
WRITTEN_IN = 200
# Share of each kind of life, and how many entries a session shows and uses.
LIVES = {"used": 0.1, "shown": 0.3, "idle": 0.6}
SHOWN_A_SESSION = 12
# Days within which a used entry is used again.
AGAIN = 10
TYPES = ("decision", "user_correction", "gotcha", "resolution", "lesson")
DURABLE_SHARE = 0.15
STATES = ("hot", "warm", "cold", "archived")
COLOURS = {"hot": "#c0392b", "warm": "#e0a030", "cold": "#5b86b0", "archived": "#b8bcc2"}
WIDTH, HEIGHT, MARGIN = 620, 150, 46


class Year(Value):
    """The outcome: life -> a count of states for each day on which a session was, and the faults at the end."""

    days: tuple[int, ...]
    states: dict[str, list[Counter[str]]]
    faults: tuple[str, ...]


def main() -> None:
    """Simulate, print, and draw if asked to."""
    options = _options()
    year = simulate(options.entries, options.sessions, options.seed)
    figures = {life: dict(counts[-1]) for life, counts in year.states.items()}
    if options.plot:
        Path(options.plot).write_text(draw(year), encoding="utf-8")
    if options.json:
        print(json.dumps({"at the end": figures, "faults": len(year.faults), "examples": year.faults[:10]}))
    else:
        for life, counts in figures.items():
            print(f"{life:6} {', '.join(f'{counts.get(state, 0)} {state}' for state in STATES)}")
        print("\n".join(year.faults[:10]) or "what is never used is cold, what is used is warm or hot")
    sys.exit(1 if options.check and year.faults else 0)


def simulate(entries: int, sessions: int, seed: int) -> Year:
    """Return the year of so many entries and sessions."""
    dice = random.Random(seed)
    lives = {f"mem-{number}": life for number, life in enumerate(_lives(entries, dice))}
    cards = {name: _card(name, dice) for name in lives}
    due = {name: cards[name].created / DAY + dice.uniform(1, AGAIN) for name, life in lives.items() if life == "used"}
    times = sorted(BEGIN + dice.uniform(0, YEAR) * DAY for _ in range(sessions))
    used: dict[str, dict[str, float]] = {name: {} for name in lives}
    states: dict[str, list[Counter[str]]] = {life: [] for life in LIVES}
    days: list[int] = []
    for number, now in enumerate(times):
        for event in _events(f"session-{number}", now, cards, lives, due, dice):
            _count(cards, used, event)
        day = int((now - BEGIN) / DAY)
        if day in days:  # maintenance is done once a day
            continue
        there = [card for card in cards.values() if card.created <= now]
        _apply(cards, plan_upkeep(there, now, SETTINGS, UpkeepContext()))
        days.append(day)
        for life, counts in states.items():
            counts.append(Counter(_state(cards[card.id], now) for card in there if lives[card.id] == life))
    return Year(days=tuple(days), states=states, faults=tuple(_faults(cards, lives, times[-1])))


def draw(year: Year) -> str:
    """Return the year as SVG: a panel for each life, its entries by state, stacked."""
    panels = [_panel(life, counts, year.days, at) for at, (life, counts) in enumerate(year.states.items())]
    keys = "".join(
        f'<rect x="{MARGIN + 110 * at}" y="8" width="12" height="12" fill="{COLOURS[state]}"/>'
        f'<text x="{MARGIN + 18 + 110 * at}" y="18">{state}</text>'
        for at, state in enumerate(STATES)
    )
    height = 30 + len(panels) * (HEIGHT + MARGIN)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 2 * MARGIN}" height="{height}"'
    return f'{head} font-family="sans-serif" font-size="12">{keys}{"".join(panels)}</svg>\n'


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--plot", metavar="FILE.svg", default="")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 where something did not fade, or went")
    return parser.parse_args()


def _lives(entries: int, dice: random.Random) -> list[str]:
    return dice.choices(list(LIVES), list(LIVES.values()), k=entries)


def _card(name: str, dice: random.Random) -> Card:
    kind = dice.choice(TYPES)
    storage = "durable" if dice.random() < DURABLE_SHARE else "daily"
    return Card(
        id=name,
        path=f"shared/{storage}/{name}.md",
        owner="shared",
        type=kind,
        sector=SECTOR_OF[kind],
        storage=storage,
        title=name,
        created=float(int(BEGIN + dice.uniform(0, WRITTEN_IN) * DAY)),
        confidence=dice.choice((0.6, 0.8)),
    )


def _events(
    session: str, now: float, cards: dict[str, Card], lives: dict[str, str], due: dict[str, float], dice: random.Random
) -> list[dict[str, object]]:
    """Return the log's lines of a session: what the hook showed, as this version and earlier ones write it, and what
    was opened or confirmed."""
    there = [name for name, card in cards.items() if card.created <= now and card.state == "current"]
    seen = [name for name in there if lives[name] != "idle"]
    shown = dice.sample(seen, min(SHOWN_A_SESSION, len(seen)))
    ready = [name for name in there if name in due and due[name] * DAY <= now]
    for name in ready:
        due[name] = now / DAY + dice.uniform(1, AGAIN)
    lines = [(SHOWN, "claude-code hook", shown)]
    lines += [(ACCESSED, "cli", ready[::2]), (CONFIRMED, "capture", ready[1::2])]
    return [
        {"kind": kind, "writer": writer, "session": session, "time": iso(now), "data": {"ids": ids}}
        for kind, writer, ids in lines
    ]


def _count(cards: dict[str, Card], used: dict[str, dict[str, float]], event: dict[str, object]) -> None:
    """Count the accesses of an event as the index does: once a session; being shown is none."""
    for name, session, kind, at in accesses(event):
        if kind != SHOWN_USE:
            used[name][session] = at
            cards[name] = cards[name].replace(accesses=len(used[name]), last_accessed=max(used[name].values()))


def _apply(cards: dict[str, Card], actions: Iterable[Action]) -> None:
    for action in actions:
        if isinstance(action, Archive):
            cards[action.id] = cards[action.id].replace(state="archive")


def _state(card: Card, now: float) -> str:
    return "archived" if card.state == "archive" else current_tier(card, now, SETTINGS)


def _faults(cards: dict[str, Card], lives: dict[str, str], now: float) -> Iterable[str]:
    for name, life in lives.items():
        state = _state(cards[name], now)
        if state == "archived" or (life == "used" and state == "cold"):
            yield f"{name} ({life}) is {state}"
        if life != "used" and state in ("hot", "warm"):
            yield f"{name} was never used ({life}), and is {state}"


def _panel(life: str, counts: Sequence[Counter[str]], days: Sequence[int], at: int) -> str:
    top = 30 + at * (HEIGHT + MARGIN)
    most = max((sum(count.values()) for count in counts), default=1) or 1
    base = [0.0] * len(days)
    parts = [f'<text x="{MARGIN}" y="{top + 12}">{life}: {most} entries</text>']
    for state in STATES:
        upper = [low + count[state] / most for low, count in zip(base, counts, strict=True)]
        edge = [_point(day, share, top) for day, share in zip(days, upper, strict=True)]
        edge += [_point(day, share, top) for day, share in reversed(list(zip(days, base, strict=True)))]
        parts.append(f'<polygon points="{" ".join(edge)}" fill="{COLOURS[state]}"/>')
        base = upper
    bottom = top + 18 + HEIGHT
    parts.append(f'<text x="{MARGIN}" y="{bottom + 14}">day 0</text>')
    parts.append(f'<text x="{MARGIN + WIDTH}" y="{bottom + 14}" text-anchor="end">day {YEAR}</text>')
    return "".join(parts)


def _point(day: int, share: float, top: int) -> str:
    return f"{MARGIN + WIDTH * day / YEAR:.1f},{top + 18 + HEIGHT * (1 - share):.1f}"


if __name__ == "__main__":
    main()
