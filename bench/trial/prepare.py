"""Prepares an arm of the trial: a clone of the repository, what earlier conversations left in memory, and the commands
that the agent types."""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

from arm import LIMPET, MARK, NOTES, NOTES_FILE, Arm, environment, write_arm
from client import VERBS
from hooks import wait_for_jobs
from repositories import REPOSITORIES

HERE = Path(__file__).resolve().parent
HEADING = (
    "# CLAUDE.md\n\nNotes for whoever works here. Keep it current: what the person wants always, write down here.\n"
)
WISH = "user_correction"

Sentence = tuple[str, str]  # type of memory, words


def main() -> None:
    options = _options()
    arm = Arm(options.folder.resolve(), options.repository, options.arm, options.wishes, options.facts, options.seed)
    prepare(arm, options.clone or arm.repository.address)


def prepare(arm: Arm, clone: str) -> None:
    """What was in the folder is removed."""
    shutil.rmtree(arm.folder, ignore_errors=True)
    arm.home.mkdir(parents=True)
    _git(arm.folder, "clone", "-q", clone, str(arm.repo))
    _git(arm.repo, "checkout", "-q", "-B", "trial", arm.repository.commit)
    _git(arm.repo, "remote", "remove", "origin")
    for name, text in arm.repository.built.items():
        (arm.repo / name).write_text(text)
    with (arm.repo / ".git" / "info" / "exclude").open("a") as file:
        file.write(f".claude\n.limpet\n{NOTES_FILE}\n")
    write_arm(arm)
    (_fill_limpet if arm.kind == LIMPET else _fill_notes)(arm, sentences(arm))
    for verb in ("start", *VERBS):
        command = arm.folder / verb
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE / "client.py"}" "{arm.folder}" {verb} "$@"\n')
        command.chmod(0o755)


def sentences(arm: Arm) -> list[Sentence]:
    """So many wishes, those of the trial among them, and facts, mixed as if said over many conversations: the same
    for every arm of a seed."""
    if not arm.wishes and not arm.facts:
        return []
    chance = random.Random(f"{arm.name} {arm.seed}")
    own = [wish.sentence for wish in arm.repository.wishes]
    others = chance.sample(_lines(arm, "wishes"), arm.wishes - len(own))
    facts = [tuple(line.split(": ", 1)) for line in chance.sample(_lines(arm, "facts"), arm.facts)]
    every: list[Sentence] = [*((WISH, words) for words in (*own, *others)), *facts]
    chance.shuffle(every)
    return every


def _fill_limpet(arm: Arm, said: list[Sentence]) -> None:
    """The Python beside `limpet` on the path is the one in which it is installed."""
    commands = [["init", "--host", "claude-code", "--yes"]]
    commands += [["memory", "add", "--type", kind, words] for kind, words in said]
    lines = "".join(json.dumps(words) + "\n" for words in commands)
    around = environment(arm, **{MARK: str(arm.folder)})
    python = Path(shutil.which("limpet", path=around["PATH"]) or "limpet").with_name("python")
    around.pop("PYTHONPATH")
    subprocess.run(
        [python, HERE / "say.py"],
        cwd=arm.repo,
        env=around,
        input=lines,
        text=True,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    wait_for_jobs(arm)


def _fill_notes(arm: Arm, said: list[Sentence]) -> None:
    lines = "".join(f"- {words}\n" for _, words in said)
    (arm.repo / NOTES_FILE).write_text(HEADING + (f"\n{lines}" if lines else ""))


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True)


def _lines(arm: Arm, kind: str) -> list[str]:
    return (HERE / "sentences" / f"{arm.name}_{kind}.txt").read_text().splitlines()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prepare an arm of the trial.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repository", choices=REPOSITORIES, required=True)
    parser.add_argument("--arm", choices=(LIMPET, NOTES), required=True)
    parser.add_argument("--clone", help="where to clone from; else the public address")
    parser.add_argument("--wishes", type=int, default=0, metavar="N", help="wishes that were said before")
    parser.add_argument("--facts", type=int, default=0, metavar="M", help="facts that were noted before")
    parser.add_argument("--seed", type=int, default=1, help="which of the sentences, and in which order")
    options = parser.parse_args()
    least = len(REPOSITORIES[options.repository].wishes)
    if (options.wishes or options.facts) and options.wishes < least:
        parser.error(f"the {least} wishes of the trial are among those that were said before: --wishes {least} or more")
    return options


if __name__ == "__main__":
    main()
