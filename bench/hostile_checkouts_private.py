"""Checkouts that reach for what is private, and private files that are damaged. Each function makes one, and says the
attack."""

from __future__ import annotations

import json
import os
import random
import time

from hostile_checkouts_texts import DATE, memory
from hostile_scene import THEIRS, Scene, cleared, damaged, name_of, pulled, unpacked

from limpet.ground.repository import ID
from limpet.work.session import new_session

# Private files that Limpet reads or writes for a conversation.
FILES = (
    ("session.yaml", "sessions/s.json", "continuation/latest.md", "metrics/hook.jsonl", "rules", "locks/s.lock")
    + ("locks/session.yaml.lock", "locks/continuation.lock", "events/s.jsonl", "events/person.jsonl")
    + (f"memories/shared/durable/{DATE}-a.md", "memories/gotchas.json", "candidates/s.json", "observations/s.yml")
)
FOLDERS = ("sessions", "continuation", "metrics", "locks", "events", "memories", "candidates", "observations")


def keep_memory(scene: Scene, name: str, text: str | bytes) -> None:
    scene.keep(f"memories/shared/durable/{DATE}-{name}.md", text)


# Another project's private files


@unpacked
def git_id_of_another_project(scene: Scene) -> None:
    """The archive's git folder has the id of the victim's other project."""
    scene.repository()
    scene.write(f".git/{ID}", f"{name_of(scene.ledger)}\n")


@unpacked
def git_id_that_is_a_path(scene: Scene) -> None:
    """The id leads up and into the private folder of the victim's other project."""
    scene.repository()
    scene.write(f".git/{ID}", f"../../../data/limpet/projects/{name_of(scene.ledger)}/shared\n")


@unpacked
def git_id_that_stalls(scene: Scene) -> None:
    """The id is a pipe in which nothing ever comes."""
    scene.repository()
    os.mkfifo(scene.place(f".git/{ID}"))


@unpacked
def git_id_that_is_long(scene: Scene) -> None:
    """The id is a link to that of the other project, below a folder whose place in the repository speaks."""
    scene.repository()
    scene.link(f".git/{ID}", scene.ledger / ".git" / ID)
    scene.write(f"{THEIRS}/.limpet/config.yaml", "")


@pulled
def record_of_trust(scene: Scene) -> None:
    """A record of trust, unsigned, and one of repositories below lie in `.limpet`."""
    record = {"root": str(scene.root), "owner": os.getuid(), "at": "2026-01-01T00:00:00Z", "agreed": {"guard": "off"}}
    for name in ("trust", "shared/trust", "trees/main/trust", "data/limpet/projects/x/trust"):
        scene.write(f".limpet/{name}", json.dumps({**record, "id": "", "common": "", "inode": 1, "born": ""}))
    scene.write(".limpet/below", f"{scene.root}\n{scene.ledger}\n")


@pulled
def private_files_where_they_lay(scene: Scene) -> None:
    """Files in every place where private ones once lay: role, permission, memories, candidates, log and locks."""
    state = new_session("s", "claude-code", str(scene.root), time.time())
    state["overrides"] = {"active_agent": "devops", "mode": "deploy", "permission": "allow", "task": THEIRS}
    scene.write(".limpet/sessions/s.json", json.dumps(state))
    scene.write(".limpet/session.yaml", f"schema_version: 1\ncurrent_agent: devops\nmode: deploy\ntask: {THEIRS}\n")
    scene.write(f".limpet/memories/dev/durable/{DATE}-a.md", memory(f"{THEIRS} endpoint", agent="dev"))
    scene.write(".limpet/candidates/s.json", json.dumps({"candidates": [{"title": THEIRS, "quote": THEIRS}]}))
    scene.write(".limpet/observations/s.yml", f"- {{kind: discovery, text: {THEIRS}}}\n")
    scene.write(".limpet/events/person.jsonl", json.dumps({"kind": "person.word", "data": {"says": THEIRS}}) + "\n")
    scene.write(".limpet/notes/s.jsonl", json.dumps({"text": THEIRS}) + "\n")
    scene.write(".limpet/config.local.yaml", "guard: {permission: allow}\n")
    scene.write(".limpet/rules.json", THEIRS)


# Damage


@damaged
def private_pipes(scene: Scene) -> None:
    """Every private file is a pipe in which nothing ever comes."""
    for path in FILES:
        os.mkfifo(cleared(scene.private(path)))


@damaged
def private_folders_for_files(scene: Scene) -> None:
    """Every private file is a folder with something in it."""
    for path in FILES:
        cleared(scene.private(path)).mkdir()
        scene.keep(f"{path}/x", "x")


@damaged
def private_files_for_folders(scene: Scene) -> None:
    """Every private folder is a file that may not be written."""
    for name in FOLDERS:
        scene.keep(name, "x").chmod(0o400)


@damaged
def private_sparse_files(scene: Scene) -> None:
    """Every private file is a gigabyte that takes no room."""
    for path in FILES:
        os.truncate(scene.keep(path), 2**30)


@damaged
def private_links_to_endless_files(scene: Scene) -> None:
    """Every private file is a link to a device that never ends, or to itself."""
    for number, path in enumerate(FILES):
        full = cleared(scene.private(path))
        full.symlink_to(full.name if number % 2 else "/dev/zero")


@damaged
def private_bytes_that_are_no_text(scene: Scene) -> None:
    """Every private file holds NUL bytes and such as are no UTF-8."""
    for path in FILES:
        scene.keep(path, random.Random(1).randbytes(3000) + b"\x00\xff\xfe\xed\xa0\x80" * 100)


@damaged
def private_files_that_are_deep(scene: Scene) -> None:
    """YAML and JSON nested deeper than a stack."""
    for path in FILES:
        scene.keep(path, '{"a":' * 200_000 if ".json" in path else "a: " + "[" * 100_000)
    keep_memory(scene, "deep", f"---\ntags: {'[' * 50_000}\n---\n\n# Deep\n")


@damaged
def private_yaml_with_aliases(scene: Scene) -> None:
    """Aliases of aliases, tags that make objects, and a hundred thousand keys."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    bomb = "\n".join(lines) + "\n"
    scene.keep("session.yaml", f"{bomb}backlog: *a29\ntask: *a29\n")
    keep_memory(scene, "bomb", f"---\n{bomb}tags: *a29\n---\n\n# Bomb\n")
    keep_memory(scene, "tag", f"---\nx: !!python/object/apply:os.system [{scene.command('yaml')!r}]\n---\n\n# Tag\n")
    scene.keep("observations/s.yml", "".join(f"k{number}: 1\n" for number in range(100_000)))


@damaged
def private_state_of_odd_types(scene: Scene) -> None:
    """Every field of the conversations' states is of another type."""
    state = new_session("s", "claude-code", str(scene.root), time.time())
    for number, odd in enumerate((None, [], {}, "", -1, 1e999, True)):
        made = dict.fromkeys(state, odd) | {"schema_version": 1, "id": "s"}
        scene.keep(f"sessions/{'s' if number == 3 else number}.json", json.dumps(made))
    scene.keep("session.yaml", "current_agent: [dev]\nmode: {a: 1}\ntask: 7\nbacklog: x\nsession_lock: []\n")


@damaged
def private_state_from_the_future(scene: Scene) -> None:
    """State is of a version that does not exist yet, and marks lie in the next century."""
    scene.keep("sessions/s.json", '{"schema_version": 99, "id": "s", "revision": 1e30}')
    scene.keep("session.yaml", "schema_version: 99\nrevision: 1e30\n")
    for name in ("tidied", "kept"):
        scene.keep(name, "99999999999")


@damaged
def private_logs_that_are_torn(scene: Scene) -> None:
    """Event and metrics logs end in half lines, and hold megabytes in one."""
    line = json.dumps({"kind": "memory.access", "data": {"ids": ["../../x"]}, "session": "s", "at": "never"})
    scene.keep("events/s.jsonl", f"{line}\n{line[:40]}")
    scene.keep("events/person.jsonl", "[" * 3_000_000)
    scene.keep("metrics/hook.jsonl", f"{line}\n" * 1000 + '{"event": ' + '"x' * 900_000)


@damaged
def private_texts_that_backtrack(scene: Scene) -> None:
    """Memories on which careless regular expressions take for ever."""
    texts = ("a" * 60_000, "[" * 30_000 + "](" * 10_000, "`" * 60_000, "key" + " " * 60_000, "password=" * 10_000)
    texts += ("a.b@" * 20_000, "- [ ] " * 10_000, "#" * 60_000, "<!--" * 15_000, "-----BEGIN " * 6000)
    for number, text in enumerate(texts):
        keep_memory(scene, f"slow-{number}", memory(f"Slow {number}", text, id=f"mem-2026-11-22-ccccccc{number:x}"))


@damaged
def private_memories_in_many_files(scene: Scene) -> None:
    """Fifty thousand memories."""
    for number in range(50_000):
        keep_memory(scene, f"a-{number:08}", memory(f"The export {number}", id=f"mem-2026-11-22-{number:08}"))


@damaged
def private_folders_without_end(scene: Scene) -> None:
    """Folders in folders, deeper than a path may be long."""
    for place in ("memories/shared", "sessions", "events"):
        folder = scene.private(place)
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        for _ in range(400):
            os.mkdir("d" * 20, dir_fd=handle)
            below = os.open("d" * 20, os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = below
        os.close(handle)


@damaged
def private_files_that_may_not_be_read(scene: Scene) -> None:
    """None of the private files may be read, and no folder written."""
    for path in FILES:
        scene.keep(path, "x").chmod(0)
    for name in FOLDERS:
        scene.private(name).chmod(0o500)
