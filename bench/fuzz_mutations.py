"""Whole files and values to broken ones, by the dice that they are given."""

from __future__ import annotations

from random import Random

from fuzz_words import ODD_VALUES, SCRAPS


def make_noise(random: Random) -> bytes:
    """Bytes of no sense."""
    return random.randbytes(random.choice((0, 1, 40, 3000)))


def mutate(random: Random, raw: bytes) -> bytes:
    """The bytes with some cut out, repeated, put in or replaced, at up to four places."""
    for _ in range(random.randint(1, 4)):
        place, size = random.randint(0, len(raw)), random.randint(0, 60)
        before, part, after = raw[:place], raw[place : place + size], raw[place + size :]
        scrap, noise = random.choice(SCRAPS), random.randbytes(len(part[:4]))
        changed = (before, before + after, before + scrap + part + after, before + part * 9 + after)
        raw = random.choice((*changed, before + noise + part[4:] + after))
    return raw


def make_odd(random: Random, value: object, chance: float) -> object:
    """The value, or with this chance one in which up to two members are something else."""
    return _make_odd(random, value, 2) if random.random() < chance else value


def _make_odd(random: Random, value: object, changes: int) -> object:
    if isinstance(value, dict) and value and random.random() < 0.9:
        keys = random.sample(sorted(value), min(changes, len(value)))
        return {**value, **{key: _make_odd(random, value[key], 1) for key in keys}}
    return random.choice(ODD_VALUES)
