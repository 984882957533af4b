"""The user's recorded word on a project: its state for ``status`` and ``doctor``, and small changes to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from limpet.ground.config.defaults import ALL_RULES_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.git import root_commit
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.durable import make_shared_folders
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.ground.storage.scaffold import ATTRIBUTES, INBOX
from limpet.ground.trust.consent import MOVED, REPLACED, Consent, find_consent, find_lapsed
from limpet.ground.trust.giving import give_trust, why_untrusted
from limpet.ground.trust.in_place import folders_in_place
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.rules.edit.difference import RuleFileChange
from limpet.rules.plan.places import read_rule_files
from limpet.rules.plan.store import drop_plan


class TrustState(Value):
    """Whether a project is trusted.

    ``since``: when that was said, "" for a project that is not.
    ``waiting``: acting settings whose value the user has not agreed to, and folders of other tools.
    ``changed``: rule files that changed since the user knows them, by their paths.
    ``moved_from``: the folder of which it was said, for a project that was moved since.
    ``reason``: why it is not trusted, as a sentence without its full stop.
    """

    since: str = ""
    waiting: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved_from: str = ""
    reason: str = ""


def trust_state(workspace: Workspace) -> TrustState:
    consent = find_consent(workspace)
    if consent is None:
        former, why = find_lapsed(workspace) or (None, "")
        moved = former.root if former and why == MOVED else ""
        return TrustState(moved_from=moved, reason=why_untrusted(workspace))
    from limpet.ground.config.settings import offered_settings  # with YAML, which no hook has

    offered = offered_settings(workspace)
    waiting = tuple(key for key, value in offered.items() if not consent.covers(key, value))
    waiting += tuple(f"{folder}/" for folder in waiting_in_place(workspace, consent))
    return TrustState(consent.at, waiting, tuple(change.path for change in changed_rules(workspace)))


def waiting_in_place(workspace: Workspace, consent: Consent) -> tuple[str, ...]:
    """Folders of other tools that nobody agreed to have read where they lie."""
    from limpet.ground.config.settings import load_settings

    is_on = load_settings(workspace)[0]["rules"]["in_place"]
    return tuple(each for each in folders_in_place(workspace.root) if is_on and not consent.covers(each, True))


def is_fresh_clone(workspace: Workspace) -> bool:
    """By the repository's first commit; asks git. False for the repository that was trusted."""
    was, why = find_lapsed(workspace) or (None, "")
    return bool(was and why == REPLACED and was.born and was.born == root_commit(workspace.root))


def trust_new_project(workspace: Workspace, now: float) -> Workspace:
    """Return it as it is found from now on."""
    try:
        make_shared_folders(workspace.home)
    except OSError as error:
        raise LimpetError(f"Cannot create the folder ({error.strerror})", workspace.home) from error
    shown = dict.fromkeys(folders_in_place(workspace.root), True)
    workspace = give_trust(workspace, shown, now, root_commit(workspace.root))
    keep_rules(workspace)
    drop_plan(workspace)
    return workspace


def agree_to(workspace: Workspace, key: str, value: object, now: float) -> None:
    consent = find_consent(workspace)
    if consent:
        give_trust(workspace, {**consent.agreed, key: value}, now, consent.born)
        drop_plan(workspace)


def is_new(workspace: Workspace) -> bool:
    """Whether nothing is in ``.limpet`` but its inbox, and nobody trusted the project, so that all will be what we
    make."""
    if os.path.islink(workspace.home) or find_consent(workspace) or find_lapsed(workspace):
        return False
    inbox = workspace.path(INBOX)
    for folder, folders, names in os.walk(workspace.home):
        is_linked = any(os.path.islink(os.path.join(folder, each)) for each in folders)
        if is_linked or ({*names} - {ATTRIBUTES} and not lies_in(inbox, folder)):
            return False
    return True


def changed_rules(workspace: Workspace) -> tuple[RuleFileChange, ...]:
    """The rule files that are not as the user knows them; where nothing was kept yet, they count as known."""
    known, now = _known(workspace), _texts(workspace)
    paths = sorted(path for path in {*known, *now} if known.get(path) != now.get(path))
    return tuple(RuleFileChange(path, known.get(path), now.get(path)) for path in paths)


def keep_rules(workspace: Workspace) -> dict[str, str]:
    now = _texts(workspace)
    write_if_possible(_file(workspace), dumps(now))
    return now


@contextmanager
def own_changes(workspace: Workspace) -> Iterator[None]:
    """Rule files that the user did not know before stay unknown."""
    known, before = _known(workspace), _texts(workspace)
    yield
    now = _texts(workspace)
    unseen = {path for path in {*known, *before} if known.get(path) != before.get(path)}
    theirs = {path: text for path, text in known.items() if path in unseen}
    write_if_possible(_file(workspace), dumps({path: now[path] for path in now if path not in unseen} | theirs))


def _known(workspace: Workspace) -> dict[str, str]:
    text = read_text(_file(workspace), 2 * ALL_RULES_BYTES)
    return keep_rules(workspace) if text is None else read_object(text)


def _texts(workspace: Workspace) -> dict[str, str]:
    files = read_rule_files(workspace).items()
    return {path: raw.decode("utf-8", "replace").removeprefix("\ufeff") for path, raw in files if raw is not None}


def _file(workspace: Workspace) -> str:
    return workspace.kept("rules")
