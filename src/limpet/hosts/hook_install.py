"""Plans the changes that put our hooks into a host's settings file, and those that give its old bytes back."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from functools import partial

from limpet.ground.formats.json_edit import has_skipped, parse_json_object, parse_json_text, render_like
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.files import read_text
from limpet.hosts.file_changes import (
    PRIVATE,
    PUBLIC,
    ChangePlan,
    FileChange,
    missing_folders,
    parents,
    read_text_strictly,
    refuse_link_out,
)
from limpet.hosts.git_files import refuse_tracked
from limpet.hosts.hook_files import HookFiles, add_hooks, find_hooks, read_settings, remove_hooks
from limpet.hosts.records import (
    LOCAL,
    SHARED,
    USER,
    Entry,
    canonical,
    change_record,
    combine,
    fingerprint,
    known_entries,
)

# The text of a settings file, and the one from before we came -> the text without us.
Take = Callable[[str, str], str]


def plan_hooks(client: HookFiles, home: str, scope: str) -> ChangePlan:
    """Raise LimpetError for settings that cannot be read, and for a link that leads out of the project."""
    project = os.path.dirname(home)
    if scope != USER:
        refuse_link_out(client.place(scope, project), project)
    path = canonical(client.place(scope, project))
    before, text = read_text_strictly(path)
    known = parse_json_object(text, path, client.SKIPS)
    hooks = find_hooks(known, client.NAME)
    if hooks and scope == LOCAL and client.scope_of(path, project, hooks) == SHARED:
        note = f"{path} has the hooks of everybody who works on the project. They are used here too."
        return ChangePlan(notes=(note,))
    if scope == LOCAL:
        refuse_tracked(path, project)
    settings, entry = parse_json_object(text, path, client.SKIPS), known_entries(home, scope).get(path)
    for name, value in client.HEAD.items():
        settings.setdefault(name, value)
    add_hooks(settings, client.registrations(scope == SHARED), path)
    if settings == known and (scope == SHARED or entry or has_skipped(text, client.SKIPS)):
        return ChangePlan()
    parse_json_text(text, path)  # comments would be lost
    edited = render_like(settings, text)
    original = without_ours(before, entry, partial(_take, client, path))
    made = make_entry(client.NAME, path, scope, edited, original, entry)
    what = f"{len(find_hooks(settings, client.NAME))} hooks"
    change = FileChange(path, what, before, edited.encode(), PRIVATE if scope == LOCAL else PUBLIC)
    return ChangePlan((change_record(home, scope, {path: made}), change))


def plan_hooks_removal(client: HookFiles, home: str, scopes: tuple[str, ...]) -> ChangePlan:
    project, plans = os.path.dirname(home), []
    for scope in scopes:
        path = canonical(client.place(scope, project))
        settings, is_known = read_settings(path, client.SKIPS), path in known_entries(home, scope)
        found = find_hooks(settings, client.NAME)
        if settings and not (found or is_known) and has_skipped(read_text(path) or "", client.SKIPS):
            continue
        if not found or client.scope_of(path, project, found) == scope:
            place, what = client.place(scope, project), "Limpet's hooks"
            plans.append(plan_file_removal(home, scope, place, partial(_take, client, path), what))
    return combine(plans)


def plan_file_removal(home: str, scope: str, place: str, take: Take, what: str) -> ChangePlan:
    """``place``: the file as the host names it, with the links that may lie on the way."""
    project, path = os.path.dirname(home), canonical(place)
    gone = ChangePlan((change_record(home, scope, {path: None}),))
    if scope != USER and leads_out(place, project):
        return ChangePlan(notes=(f"{place} {LEADS_OUT}. It was not changed.",)) + gone
    entry, (before, _) = known_entries(home, scope).get(path), read_text_strictly(path)
    made = (entry or {}).get("folders")
    folders = parents(path)[: made if isinstance(made, int) else 0]
    return ChangePlan((FileChange(path, what, before, without_ours(before, entry, take), folders=folders),)) + gone


def make_entry(host: str, path: str, scope: str, edited: str, original: bytes | None, previous: Entry | None) -> Entry:
    """``original``: the file's bytes without us."""
    return {
        "host": host,
        "scope": scope,
        "after": fingerprint(edited.encode()),
        "original": None if original is None else base64.b64encode(original).decode(),
        "folders": len(missing_folders(path)) or (previous or {}).get("folders", 0),
    }


def without_ours(before: bytes | None, entry: Entry | None, take: Take) -> bytes | None:
    """Return the bytes from before or derived from those of now; None where there would be no file."""
    original = original_bytes(entry)
    if before is None:
        return None
    if entry and fingerprint(before) == entry.get("after"):
        return original
    kept = take(before.decode(), (original or b"").decode())
    nothing_but_ours = entry is not None and original is None and "".join(kept.split()) in ("", "{}")
    return None if nothing_but_ours else kept.encode()


def original_bytes(entry: Entry | None) -> bytes | None:
    encoded = (entry or {}).get("original")
    return base64.b64decode(encoded) if isinstance(encoded, str) else None


def _take(client: HookFiles, where: str, text: str, original: str) -> str:
    settings = parse_json_object(text, where)
    before = parse_json_text(original)
    remove_hooks(settings, find_hooks(settings, client.NAME), before)
    known = before if isinstance(before, dict) else {}
    for name in [each for each in client.HEAD if each not in known]:
        if original.strip() or set(settings) <= set(client.HEAD):  # a file that we made goes on with its head
            settings.pop(name, None)
    return client.take_rest(render_like(settings, text), original)
