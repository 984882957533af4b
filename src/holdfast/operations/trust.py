"""Trust in a project (decision 46): what it would bring, giving it, and its state for ``status`` and ``doctor``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.config.settings import leaves, offered_settings, read_layers
from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.instructions.find import flags_of
from holdfast.ground.storage.durable import make_shared_folders
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.trust.consent import Consent, find_consent
from holdfast.ground.trust.giving import forget_moved, former_place, give_trust
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER, Workspace
from holdfast.memory.files.store import read_raw, scan
from holdfast.memory.model.entry import LARGEST
from holdfast.operations.framework import GUIDES
from holdfast.operations.mirror import refresh
from holdfast.roles.agent_paths import AGENTS_FOLDER, own_files
from holdfast.roles.roster import AGENTS
from holdfast.rules.catalogue import read_catalogue
from holdfast.rules.plan.sources import read_files, read_sources

# How many memories are read for lines that look like orders, and how many such lines are shown.
MOST_READ, MOST_SHOWN = 500, 20
# Kinds of domains that speak whatever was typed.
ALWAYS = ("constitution", "global", "context", "always")
# What of the work speaks to an agent, by its path in ``.holdfast``.
OF_THE_WORK = {
    "session.yaml": "the state of the work",
    "continuation": "the record of a conversation",
    "handoffs": "handoffs",
    "stories": "stories",
    "manifest.yaml": "the state of the specifications",
    "workflows": "workflows",
    **dict.fromkeys(GUIDES, "texts that agents work by"),
}


class Setting(Value):
    """A value that the project's files set.

    ``key``: dotted.
    ``value``: theirs.
    ``instead_of``: the value without them.
    ``acts``: whether it spends, runs, deletes, writes or waits.
    """

    key: str
    value: Any
    instead_of: Any
    acts: bool


class Offer(Value):
    """What a project would bring into conversations.

    ``domains``: (name, number of rules, whether it always speaks).
    ``articles``: the number of articles that it adds to the constitution.
    ``memories``: the number of its memories.
    ``work``: what of the work there is.
    ``agents``: the files of agents, those in place of packaged ones first.
    ``orders``: (file, line) of text that reads as an order to the model.
    ``settings``: the values that differ.
    """

    domains: tuple[tuple[str, int, bool], ...]
    articles: int
    memories: int
    work: tuple[str, ...]
    agents: tuple[str, ...]
    orders: tuple[tuple[str, str], ...]
    settings: tuple[Setting, ...]


class TrustState(Value):
    """Whether a project is trusted.

    ``since``: when that was said, "" for a project that is not.
    ``waiting``: acting settings whose value the user has not agreed to.
    ``moved_from``: the folder of which it was said, for a project that was moved since.
    """

    since: str = ""
    waiting: tuple[str, ...] = ()
    moved_from: str = ""


def trust_state(workspace: Workspace) -> TrustState:
    """Return whether the user trusts the project, and what waits for their word."""
    consent = find_consent(workspace)
    if consent is None:
        former = former_place(workspace)
        return TrustState(moved_from=former.root if former else "")
    offered = offered_settings(workspace)
    waiting = tuple(key for key, value in offered.items() if key not in consent.agreed or consent.agreed[key] != value)
    return TrustState(since=consent.at, waiting=waiting)


def survey(workspace: Workspace) -> Offer:
    """Return what the project would bring. Reads its files within their limits, and runs nothing of it."""
    texts = chain(_rule_texts(workspace), _agent_texts(workspace), _memory_texts(workspace))
    orders = islice((found for name, text in texts for found in _orders(name, text)), MOST_SHOWN)
    return Offer(
        domains=tuple((one.domain.name, one.count, one.kind in ALWAYS) for one in read_catalogue(workspace)),
        articles=len(read_sources(workspace).constitution.added),
        memories=sum(1 for _ in scan(workspace.shared)),
        work=tuple(dict.fromkeys(what for name, what in OF_THE_WORK.items() if os.path.lexists(workspace.path(name)))),
        agents=tuple(_agent_files(workspace)),
        orders=tuple(orders),
        settings=_settings(workspace),
    )


def trust_project(workspace: Workspace, now: float) -> Consent:
    """Record the user's trust in the project and in the acting settings as its files have them.

    Raises HoldfastError where the user's state folder cannot be written.
    """
    former = None if find_consent(workspace) else former_place(workspace)
    consent = give_trust(workspace, offered_settings(workspace), now)
    if former:
        forget_moved(former)
    refresh(workspace)
    return consent


def trust_new_project(workspace: Workspace, now: float) -> None:
    """Make the folder of a project that ``is_new``, and record the user's trust in what will stand there.

    That comes first, so that an installation that is broken off is taken up again as the user's own. Raises
    HoldfastError where one of the two cannot be written.
    """
    try:
        make_shared_folders(workspace.home)
    except OSError as error:
        raise HoldfastError(f"Cannot create the folder ({error.strerror})", workspace.home) from error
    give_trust(workspace, {}, now)


def agree_to(workspace: Workspace, key: str, value: object, now: float) -> None:
    """Record that the user set an acting setting of a trusted project to this value. Raises HoldfastError."""
    consent = find_consent(workspace)
    if consent:
        give_trust(workspace, {**consent.agreed, key: value}, now)


def is_new(workspace: Workspace) -> bool:
    """Return whether there is nothing in the project's ``.holdfast`` yet, so that all of it will be what we make."""
    return not os.path.islink(workspace.home) and not any(
        names or any(os.path.islink(os.path.join(folder, each)) for each in folders)
        for folder, folders, names in os.walk(workspace.home)
    )


def _rule_texts(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    for name, raw in read_files(workspace).items():
        yield name, raw or b""


def _agent_files(workspace: Workspace) -> dict[str, str]:
    """Return file, from the project's root -> path of the project's agents, those in place of packaged ones first."""
    files = own_files(workspace.path(AGENTS_FOLDER))
    ranked = sorted(files, key=lambda agent_id: agent_id not in AGENTS)
    return {f"{FOLDER}/{AGENTS_FOLDER}/{os.path.basename(files[name])}": files[name] for name in ranked}


def _agent_texts(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    for name, path in _agent_files(workspace).items():
        yield name, read_bytes(path, STATE_BYTES) or b""


def _memory_texts(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    """Yield the memories that can become an entry: a larger file is none."""
    small = ((path, mark) for path, mark in scan(workspace.shared) if mark[1] <= LARGEST)
    for path, _ in islice(small, MOST_READ):
        yield f"memories/{path}", read_raw(workspace.shared, path) or b""


def _orders(name: str, raw: bytes) -> Iterator[tuple[str, str]]:
    for line in raw.decode("utf-8", "replace").splitlines():
        if flags_of(line):
            yield name, line.strip()


def _settings(workspace: Workspace) -> tuple[Setting, ...]:
    """Return the values of the project's files that differ from what would hold without them."""
    offered = offered_settings(workspace)
    layers = read_layers(workspace, agreed=offered)
    own = [layer for layer in layers if layer.name.startswith(f"{FOLDER}/")]
    without = {".".join(path): value for layer in layers if layer not in own for path, value in leaves(layer.values)}
    within = {".".join(path): value for layer in own for path, value in leaves(layer.values)}
    return tuple(
        Setting(key=key, value=value, instead_of=without.get(key), acts=key in offered)
        for key, value in within.items()
        if value != without.get(key)
    )
