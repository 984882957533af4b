"""Puts the worst in the hook's way and looks whether it is over before the host loses patience.

    python bench/worst_case.py --check                  the promise, in one command
    python bench/worst_case.py --only locks --json      some cases, for programs

A case is a project that its user trusts, what stands in its files or pipes, and events as the host sends them, a
process each. The promise: each ends before the seconds that the host gives it, with exit code 0 and nothing on stderr.

A slow disk is played by code that is run in the hook's process before it and lets every call that asks the disk sleep
(no FUSE is needed); a disk that never answers at all cannot be played so. A pipe in which nothing comes stands for
files that stall.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent))

from hostile_checkouts_links import FILES
from hostile_checkouts_private import FILES as PRIVATE_FILES
from hostile_doors import DRAWING, PYTHON, Answer, draw, fill, run, send, trust, trust_exists, wait_for_background
from hostile_scene import Checkout, Scene, cleared, make_template, set_scene
from nobody import become_nobody

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import Lock
from limpet.ground.storage.scaffold import FORMER
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.work.session import session_lock

# Where private files once lay, and nothing is read.
NOT_READ = tuple(f".limpet/{name}" for name in FORMER)
MEGABYTE = 2**20
LONG = 50 * MEGABYTE
# Seconds for what a case leaves running, which is ended then.
BACKGROUND = 2
# A key by its form, and seconds of CPU for a megabyte in which it is looked for; 0.3 is the aim.
KEY = "ghp_" + "a1B2c3D4e5F6" * 3
REDACTED = 1.0
COMPACTION = {"trigger": "manual"}
EVENTS: dict[str, dict[str, object]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "How does the endpoint do the export?"},
    "PreCompact": COMPACTION,
    "PostCompact": {**COMPACTION, "compact_summary": "A summary."},
    "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t", "error": "exit code 1"},
    "SessionEnd": {"reason": "other"},
}
PROMPTS = ("How does the endpoint do the export?", "*remember The cache is Redis.", "*brief Go on.")
# Run in the hook's process before it: every call that asks the disk takes so many seconds. Writes do not: what is
# printed is one of them.
SLOW = """
import io, os, time
def slow(call):
    def wait(*given, **more):
        time.sleep({seconds})
        return call(*given, **more)
    return wait
for name in ("open", "stat", "lstat", "read", "listdir", "scandir", "replace", "unlink", "mkdir", "readlink"):
    setattr(os, name, slow(getattr(os, name)))
"""


@dataclass(frozen=True)
class Case:
    """What stands in the hook's way, and the events that meet it."""

    name: str
    play: Callable[[Scene], Iterator[Answer]]


@dataclass
class Figures:
    """The longest event of a case, in seconds and in percent of what the host gives it, and what broke the promise."""

    case: str
    events: int = 0
    longest: float = 0.0
    event: str = ""
    percent: float = 0.0
    faults: list[str] = field(default_factory=list)


def main() -> int:
    options = read_options()
    if sys.platform == "win32":
        print("the cases are made of pipes and POSIX locks: run this on Linux or macOS")
        return 0
    chosen = choose(options.only, options.sample, options.seed)
    measured = []
    with tempfile.TemporaryDirectory(prefix="limpet-worst-", ignore_cleanup_errors=True) as temporary:
        for figures in measure(Path(os.path.realpath(temporary)), chosen):
            measured.append(figures)
            if not options.json:
                print(line_of(figures), flush=True)
    if options.json:
        print(json.dumps([asdict(figures) for figures in measured], indent=1))
    else:
        print(summary(measured))
    return 1 if options.check and any(figures.faults for figures in measured) else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these cases, or parts of their names")
    parser.add_argument("--sample", type=int, help="so many of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--check", action="store_true", help="exit 1 where an event was late, failed, or spoke on stderr"
    )
    return parser.parse_args()


def choose(only: list[str], sample: int | None, seed: int) -> list[Case]:
    """Return the cases of these names, or parts of names, all without any; ``sample`` draws some of them."""
    found = [case for case in CASES if not only or any(part in case.name for part in only)]
    return found if sample is None else Random(seed).sample(found, min(sample, len(found)))


def measure(folder: Path, cases: list[Case]) -> Iterator[Figures]:
    """Play each case in a project of its own, which its user trusts where this Limpet asks."""
    become_nobody(str(folder))
    template = make_template(folder / "template")
    consent = trust if trust_exists() else None
    for number, case in enumerate(cases):
        place = folder / str(number)
        scene = set_scene(place, template, Checkout(case.name, "", "archive", "repository", _leave_as_it_is), consent)
        fill(scene.transcript, 30)
        figures = Figures(case.name)
        for answer in case.play(scene):
            _note(figures, answer)
        wait_for_background(str(scene.home), BACKGROUND)
        subprocess.run(["rm", "-rf", str(place)], check=False)
        yield figures


def _leave_as_it_is(scene: Scene) -> None:
    scene.repository()


def _note(figures: Figures, answer: Answer) -> None:
    given = TIMEOUTS.get(answer.door, DRAWING)
    percent = 100 * answer.seconds / given
    figures.events += 1
    if percent > figures.percent:
        figures.longest, figures.event, figures.percent = answer.seconds, answer.door, percent
    if answer.code != 0:
        ended = f"was ended after {answer.seconds:.1f} s" if answer.code is None else f"ended with {answer.code}"
        figures.faults.append(f"{answer.door} {ended}")
    if answer.err:
        figures.faults.append(f"{answer.door} said on stderr: {answer.err[-200:]!r}")


def line_of(figures: Figures) -> str:
    """Return a case's line of the table, and one for each fault."""
    head = f"{figures.case:48} {figures.longest:6.2f} s {figures.percent:4.0f} % {figures.event:18} of {figures.events}"
    return "\n".join([head, *(f"    {fault}" for fault in figures.faults)])


def summary(measured: list[Figures]) -> str:
    """Return the totals."""
    longest = max(measured, key=lambda figures: figures.percent)
    events, faults = sum(each.events for each in measured), sum(len(each.faults) for each in measured)
    return (
        f"{len(measured)} cases, {events} events, {faults} faults; the nearest to its end: {longest.case}, "
        f"{longest.event}, {longest.longest:.2f} s, {longest.percent:.0f} % of what the host gives"
    )


# The events of a case


def _talk(scene: Scene) -> Iterator[Answer]:
    """A start, three prompts, and a draw of the status line."""
    yield send(scene, "SessionStart", source="startup")
    for number, prompt in enumerate(PROMPTS):
        yield send(scene, "UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}")
    yield draw(scene)


def _send_all(scene: Scene) -> Iterator[Answer]:
    """Every event, and every prompt."""
    yield from _talk(scene)
    for number, (event, fields) in enumerate(EVENTS.items()):
        yield send(scene, event, prompt_id=f"e{number}", **fields)


# Files that are too large


def _sparse(path: str) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        yield send(scene, "SessionStart", source="startup")
        scene.sparse(path)
        yield from _talk(scene)

    return Case(f"a gigabyte: {path}", play)


def _sparse_private(path: str) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        yield send(scene, "SessionStart", source="startup")
        os.truncate(scene.keep(path), 2**30)
        yield from _talk(scene)

    return Case(f"a gigabyte, private: {path}", play)


def _sparse_caches(scene: Scene) -> Iterator[Answer]:
    """Every file that Limpet keeps for the user, outside of the project."""
    yield from _send_all(scene)
    wait_for_background(str(scene.home), 20)
    for path in sorted(path for top in scene.ours for path in top.rglob("*") if path.is_file()):
        kept = path.read_bytes()
        os.truncate(path, 2**30)
        yield from _talk(scene)
        path.write_bytes(kept)


def _written(name: str, path: str, make: Callable[[], str]) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        scene.write(path, make())
        yield from _talk(scene)

    return Case(name, play)


def _kept(name: str, path: str, make: Callable[[], str]) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        scene.keep(path, make())
        yield from _talk(scene)

    return Case(name, play)


def _yaml(size: int) -> str:
    item = "  - {reason: one, type: bug, why: because}\n"
    return "deviations:\n" + item * (size // len(item))


def _domains(count: int, first: int = 0) -> str:
    return "".join(f"D{number}_RECALL=w{number}, export {number}\n" for number in range(first, first + count))


def _squads_of_domains(scene: Scene) -> Iterator[Answer]:
    for squad in range(10):
        scene.write(f"squads/s{squad}/squad.yaml", f"name: s{squad}\n")
        scene.write(f"squads/s{squad}/.limpet/rules/manifest", _domains(10_000, squad * 10_000))
    yield from _talk(scene)


def _many_sessions(scene: Scene) -> Iterator[Answer]:
    folder = scene.private("sessions")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(50_000):
        (folder / f"s{number}.json").write_bytes(b"{}")
    yield send(scene, "SessionStart", source="startup")
    scene.let_a_day_pass()
    yield from _talk(scene)


# Transcripts


def _transcript(name: str, write: Callable[[Path], None]) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        write(scene.transcript)
        yield from _send_all(scene)

    return Case(f"transcript: {name}", play)


def _of_nothing(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(2**30)


def _with_an_end(path: Path) -> None:
    _of_nothing(path)
    with open(path, "ab") as file:
        file.write(b"\n")
    fill(path, 30)


def _of_one_line(path: Path) -> None:
    path.write_bytes(b'{"type": "user", "message": {"content": "' + b"x" * 400 * MEGABYTE)


def _without_an_answer(path: Path) -> None:
    line = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 3000}}) + "\n"
    path.write_text(line * (300 * MEGABYTE // len(line)), encoding="utf-8")


def _of_short_lines(path: Path) -> None:
    path.write_bytes(b'{"type": "progress"}\n' * (200 * MEGABYTE // 21))


# What holds up


def _locks(scene: Scene) -> Iterator[Answer]:
    """Every lock that a conversation took is held by another process: this one."""
    yield from _send_all(scene)
    wait_for_background(str(scene.home), 20)
    workspace = workspace_at(str(scene.root)).replace(state=str(scene.private("sessions").parent))
    with ExitStack() as held:
        held.enter_context(session_lock(workspace, "s"))
        for top in (scene.root / ".limpet", *scene.ours):
            for path in (*top.rglob("*.lock"), *top.rglob("*.lock.next")):
                held.enter_context(Lock(str(path), patience=0))
        scene.append(".limpet/config.yaml", "rules: {devmode: false}\n")
        scene.append(".limpet/rules/global", "GLOBAL_RULE_80=Be kind.\n")
        yield from _send_all(scene)


def _pipes(scene: Scene) -> Iterator[Answer]:
    for path in FILES:
        os.mkfifo(scene.place(path))
    for path in PRIVATE_FILES:
        os.mkfifo(cleared(scene.private(path)))
    yield from _send_all(scene)


def _pipe_for(path: str) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        yield send(scene, "SessionStart", source="startup")
        os.mkfifo(scene.place(path) if path in FILES else cleared(scene.private(path)))
        yield from _talk(scene)

    return Case(f"a stalled pipe: {path}", play)


def _slow_disk(seconds: float) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        first = SLOW.format(seconds=seconds)
        start = [*PYTHON[:4], f"{first}\n{PYTHON[4]}", *PYTHON[5:]]
        for event, fields in EVENTS.items():
            yield _start(scene, event, json.dumps(_payload(scene, event, **fields)).encode(), start)

    return Case(f"a slow disk: {seconds:g} s a call", play)


def _long_prompt(name: str, text: str) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        for number in range(2):
            yield send(scene, "UserPromptSubmit", prompt=text, prompt_id=f"p{number}")

    return Case(f"50 MB typed: {name}", play)


def _flood(unit: str) -> Case:
    """A megabyte is written with a key at its end: the write is denied, and looking for it takes so long on the CPU."""

    def play(scene: Scene) -> Iterator[Answer]:
        text = f"{unit * (MEGABYTE // len(unit.encode()))} {KEY}"
        given = {"file_path": str(scene.root / "notes.md"), "content": text}
        answer = send(scene, "PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t")
        yield answer if "deny" in answer.out else replace(answer, err=f"{answer.err}the key was not seen")
        began = time.process_time()
        redacted = redact(text)
        taken = time.process_time() - began
        fault = "" if KEY not in redacted and taken <= REDACTED else f"redaction took {taken:.2f} s of CPU"
        yield Answer("redaction", False, 0, "", fault, taken)

    return Case(f"a megabyte of {unit!r} before a key", play)


def _raw(name: str, raw: bytes) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        for event in EVENTS:
            yield _start(scene, event, raw, PYTHON)

    return Case(f"a payload of {name}", play)


def _payload(scene: Scene, event: str, **fields: object) -> dict[str, object]:
    common = {"session_id": "s", "transcript_path": str(scene.transcript), "cwd": str(scene.root)}
    return {**common, "hook_event_name": event, **fields}


def _start(scene: Scene, event: str, raw: bytes, start: list[str]) -> Answer:
    return run(event, [*start, event], scene.environment, scene.root, raw, TIMEOUTS[event], is_hook=True)


# Pipes of the host's that do not flow


def _stalled_stdin(name: str, sent: bytes) -> Case:
    def play(scene: Scene) -> Iterator[Answer]:
        for event in (*EVENTS, "StatusLine"):
            yield _beside(scene, event, lambda process: _feed(process, sent))

    return Case(f"stdin: {name}", play)


def _feed(process: subprocess.Popen[bytes], sent: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(sent)
    process.stdin.flush()


def _full_stdout(scene: Scene) -> Iterator[Answer]:
    """Nobody reads, and the pipe is full already."""
    for event, fields in EVENTS.items():
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        while True:
            try:
                os.write(writing, b"x" * 4096)
            except BlockingIOError:
                break
        os.set_blocking(writing, True)
        raw = json.dumps(_payload(scene, event, **fields)).encode()
        yield _beside(scene, event, lambda process, raw=raw: _end(process, raw), writing)  # type: ignore[misc]
        os.close(reading)


def _closed_stdout(scene: Scene) -> Iterator[Answer]:
    """The host has gone."""
    for event, fields in EVENTS.items():
        reading, writing = os.pipe()
        os.close(reading)
        raw = json.dumps(_payload(scene, event, **fields)).encode()
        yield _beside(scene, event, lambda process, raw=raw: _end(process, raw), writing)  # type: ignore[misc]


def _end(process: subprocess.Popen[bytes], raw: bytes) -> None:
    _feed(process, raw)
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None


def _beside(
    scene: Scene, event: str, serve: Callable[[subprocess.Popen[bytes]], None], stdout: int | None = None
) -> Answer:
    """Run the hook with pipes that ``serve`` fills and never closes, or with this standard output."""
    given = TIMEOUTS.get(event, DRAWING)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = {"stdout": out if stdout is None else stdout, "stderr": err}
        began = time.perf_counter()
        process = subprocess.Popen(
            [*PYTHON, event], stdin=subprocess.PIPE, cwd=scene.root, env=scene.environment, **streams
        )
        if stdout is not None:
            os.close(stdout)
        serve(process)
        try:
            code: int | None = process.wait(given)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        seconds = time.perf_counter() - began
        if process.stdin:
            process.stdin.close()
        err.seek(0)
        return Answer(event, True, code, "", err.read().decode("utf-8", "replace"), seconds)


CASES: list[Case] = [
    *map(_sparse, (path for path in FILES if not path.startswith(NOT_READ) and not path.endswith(".gitignore"))),
    *map(_sparse_private, (path for path in PRIVATE_FILES if not path.endswith(".lock"))),
    _sparse(".limpet/rules/commands"),
    _sparse(".limpet/rules/agent-dev"),
    Case("a gigabyte: each file of the user's folders", _sparse_caches),
    _written("20 MB of manifest", ".limpet/rules/manifest", lambda: _domains(650_000)),
    _written("20 MB of rules", ".limpet/rules/global", lambda: "GLOBAL_RULE_0=Be kind.\n" * 900_000),
    _kept("20 MB of session.yaml", "session.yaml", lambda: _yaml(20 * MEGABYTE)),
    _written("20 MB of config.yaml", ".limpet/config.yaml", lambda: _yaml(20 * MEGABYTE)),
    _kept("as much session.yaml as is read", "session.yaml", lambda: _yaml(STATE_BYTES - 100)),
    _written("as much config.yaml as is read", ".limpet/config.yaml", lambda: _yaml(STATE_BYTES - 100)),
    _written("100,000 domains in a manifest", ".limpet/rules/manifest", lambda: _domains(100_000)),
    _written("as many domains as are read", ".limpet/rules/manifest", lambda: _domains(30_000)),
    Case("100,000 domains in squads", _squads_of_domains),
    Case("50,000 conversations", _many_sessions),
    _transcript("a gigabyte of nothing", _of_nothing),
    _transcript("a gigabyte before the last answer", _with_an_end),
    _transcript("400 MB in one line", _of_one_line),
    _transcript("300 MB without an answer", _without_an_answer),
    _transcript("200 MB of short lines", _of_short_lines),
    Case("all locks held", _locks),
    Case("stalled pipes for all files", _pipes),
    *map(_pipe_for, (".limpet/rules/manifest", "session.yaml", "sessions/s.json", "rules", ".env")),
    *map(_slow_disk, (0.005, 0.05, 0.5, 600)),
    *map(_flood, ("密码：", "パスワード：", "password=", "password=a,", "eyJ", "= : \" ' ", "The plan is good. ")),
    _long_prompt("words", "lorem ipsum " * (LONG // 12)),
    _long_prompt("one word", "x" * LONG),
    _long_prompt("*remember and words", "*remember " + "lorem ipsum " * (LONG // 12)),
    _long_prompt("lines of *remember", "*remember The cache is Redis.\n" * (LONG // 30)),
    _long_prompt("stars", "*" * LONG),
    _long_prompt("lines with stars", "*brief\n" * (LONG // 7)),
    _long_prompt("blanks", " \n" * (LONG // 2)),
    _long_prompt("letters of four bytes", "\U0001f512" * (LONG // 12)),
    _long_prompt("the block's own marks", "<limpet-context" * (LONG // 17)),
    _raw("nothing", b""),
    _raw("50 MB that are no JSON", b"[" * LONG),
    _raw("50 MB of small values", b'{"a":[' + b"1," * (LONG // 2) + b"1]}"),
    _raw("an endless number", b'{"context_tokens": ' + b"9" * MEGABYTE + b"}"),
    _stalled_stdin("never closed, empty", b""),
    _stalled_stdin("never closed, half a payload", b'{"session_id": "s", "prompt": "'),
    _stalled_stdin("never closed, a whole payload", b'{"session_id": "s", "prompt": "x"}'),
    Case("stdout: full, and nobody reads", _full_stdout),
    Case("stdout: closed", _closed_stdout),
]


if __name__ == "__main__":
    sys.exit(main())
