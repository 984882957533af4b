"""Runs the git commands that move or delete files, and looks whether what is private stayed, stayed private, and is the
user's own.

    python bench/git_commands.py                            the promise, in one command
    python bench/git_commands.py --layouts bare --acts pull --json
    python bench/git_commands.py --sample 4 --seed 7        some of all pairs of a layout and an act

A project with 40 memories, a role, a mode, a committed story and committed rules lies in a main worktree, a linked one,
one of a bare repository, and beside another project of its repository. After each act the doors are asked: all memories
are listed, role, mode and trust stand, the guard refuses a push as the role has it, git knows of no private file, no
search of the tree and no commit or stash holds a private word, and nothing that a pull brought is believed.
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
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent))

from hostile_checkouts_texts import memory

from limpet.hosts.commands.lines import BOOTSTRAP

SOURCE = str(Path(__file__).parents[1] / "src")
REMEMBERING = str(Path(__file__).with_name("remembering.py"))
# Words of the user's that no place but their data folder may hold, and words that a pull brings into private places.
PRIVATE, THEIRS = "halibut-private", "quillback-theirs"
MEMORIES = 40
AGENT, MODE = "dev", "build"
REFUSED = f"{AGENT} may not push"
# Branches: the project's own, one with another rule, and one that lacks ``.limpet``.
OWN, OTHER, WITHOUT = "own", "other", "without"
# Where in ``.limpet`` private files lay, with what a stranger wants to be believed.
BROUGHT = {
    "session.yaml": f"schema_version: 1\ncurrent_agent: devops\nmode: deploy\ntask: {THEIRS}\n",
    "sessions/s.json": json.dumps({"schema_version": 1, "id": "s", "overrides": {"active_agent": "devops"}}),
    "memories/shared/durable/2026-11-22-theirs.md": memory(f"{THEIRS} endpoint"),
    "memories/dev/durable/2026-11-22-theirs.md": memory(f"{THEIRS} endpoint", agent="dev"),
    "candidates/s.json": json.dumps({"candidates": [{"title": THEIRS, "quote": THEIRS}]}),
    "continuation/latest.md": f"---\nsession: s\nhost: claude-code\n---\n\n# Continuation\n\n- Task: {THEIRS}\n",
    "events/person.jsonl": json.dumps({"kind": "person.word", "data": {"says": THEIRS}}) + "\n",
    "observations/s.yml": f"- text: {THEIRS}\n",
    "config.local.yaml": "guard: {permission: allow}\n",
    ".identity": "another-project\n",
    "trust": json.dumps({"root": "/", "agreed": {}}),
    "cache/mirror.json": json.dumps({"session": {"current_agent": "devops"}}),
}


@dataclass
class Tally:
    """What was done, and everything that should not be."""

    acts: int = 0
    looks: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Scene:
    """A user, and a project of theirs at ``root`` in the worktree ``top``; ``beside``: the other project there."""

    folder: Path
    top: Path
    root: Path
    beside: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        home = self.folder / "home"
        xdg = {f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("state", "cache", "config", "data")}
        git = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
        git |= {f"GIT_{role}_NAME": "x" for role in ("AUTHOR", "COMMITTER")}
        git |= {f"GIT_{role}_EMAIL": "x@example.org" for role in ("AUTHOR", "COMMITTER")}
        return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": SOURCE, "LC_ALL": "C.UTF-8", **xdg, **git}

    def run(self, *words: str, cwd: Path | None = None, given: str = "", codes: tuple[int, ...] = (0,)) -> str:
        """What the command says. Raises RuntimeError where it ends with another code."""
        done = subprocess.run(
            words, cwd=cwd or self.root, env=self.environment, input=given.encode(), capture_output=True, check=False
        )
        if done.returncode not in codes:
            raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {(done.stdout + done.stderr)[-500:]!r}")
        return done.stdout.decode("utf-8", "replace")

    def git(self, *words: str, cwd: Path | None = None) -> str:
        return self.run("git", *words, cwd=cwd or self.top)

    def limpet(self, *words: str, cwd: Path | None = None) -> str:
        return self.run(sys.executable, "-P", "-m", "limpet", *words, cwd=cwd)

    def hook(self, event: str, cwd: Path, **more: object) -> str:
        given = {"session_id": "s", "cwd": str(cwd), "hook_event_name": event, **more}
        start = (sys.executable, "-I", "-S", "-c", BOOTSTRAP, SOURCE, "claude-code", event)
        return self.run(*start, cwd=cwd, given=json.dumps(given))

    def commit(self, text: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", text)


# The layouts


def main_worktree(folder: Path) -> Scene:
    """The usual one."""
    top = folder / "home" / "app"
    scene = Scene(folder, top, top)
    begin(scene, top)
    return scene


def linked_worktree(folder: Path) -> Scene:
    """Begun in the main worktree; the work is in a linked one."""
    scene = main_worktree(folder)
    top = folder / "home" / "app-linked"
    scene.git("worktree", "add", "-q", "-b", "linked", str(top))
    return Scene(folder, top, top)


def bare_repository(folder: Path) -> Scene:
    """``all/.bare``, ``all/.git`` that points to it, and worktrees beside them."""
    around = folder / "home" / "all"
    around.mkdir(parents=True)
    scene = Scene(folder, around / "main", around / "main")
    scene.git("init", "-q", "--bare", "-b", "trunk", ".bare", cwd=around)
    (around / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    tree = scene.git("mktree", cwd=around / ".bare").strip()
    first = scene.git("commit-tree", "-m", "first", tree, cwd=around / ".bare").strip()
    scene.git("branch", OWN, first, cwd=around / ".bare")
    scene.git("worktree", "add", "-q", "main", OWN, cwd=around)
    begin(scene, around / "main")
    return scene


def two_projects(folder: Path) -> Scene:
    """Two folders of a repository are projects; what is asked of the one must hold for the other."""
    top = folder / "home" / "mono"
    scene = Scene(folder, top, top / "a", top / "b")
    begin(scene, top, "a", "b")
    return scene


LAYOUTS: dict[str, Callable[[Path], Scene]] = {
    "main": main_worktree,
    "linked": linked_worktree,
    "bare": bare_repository,
    "two": two_projects,
}


def begin(scene: Scene, top: Path, *places: str) -> None:
    """Make the repository with its branches, and the projects in it, as their user does."""
    roots = [top / place for place in places] or [top]
    for root in roots:
        (root / "src").mkdir(parents=True, exist_ok=True)
        (root / "src" / "app.py").write_text("app = 1\n", encoding="utf-8")
    if not (top / ".git").exists():
        scene.git("init", "-q", "-b", OWN, cwd=top)
    scene.git("add", "-A", cwd=top)
    scene.git("commit", "-q", "-m", "app", cwd=top)
    scene.git("branch", WITHOUT, cwd=top)
    for root in roots:
        scene.limpet("init", "--here", "--yes", "--host", "claude-code", cwd=root)
        scene.limpet("rules", "add", "API", "--recall", "endpoint", "--rule", "Version every endpoint.", cwd=root)
        scene.limpet("work", "story", "add", "S-1", "Add the export", "--criterion", "A CSV file", cwd=root)
    scene.git("add", "-A", cwd=top)
    scene.git("commit", "-q", "-m", "limpet", cwd=top)
    scene.git("checkout", "-q", "-b", OTHER, cwd=top)
    for root in roots:
        scene.limpet("rules", "edit", "API", "--add-rule", "Name every route.", cwd=root)
    scene.git("commit", "-q", "-a", "-m", "a rule", cwd=top)
    scene.git("checkout", "-q", OWN, cwd=top)


def settle(scene: Scene) -> None:
    """Let the user remember things, and take role and mode; and a stranger have a clone."""
    for root in filter(None, (scene.root, scene.beside)):
        texts = [text_of(root, number) for number in range(MEMORIES)]
        scene.run(sys.executable, REMEMBERING, "shared", *texts, cwd=root)
        scene.limpet("work", "agent", "activate", AGENT, cwd=root)
        scene.limpet("work", "set", "--mode", MODE, "--reason", PRIVATE, cwd=root)
        scene.hook("UserPromptSubmit", root, prompt=f"Where is the {PRIVATE} endpoint?", prompt_id="p")
    scene.git("clone", "-q", "--bare", str(scene.top), str(scene.folder / "origin"))
    scene.git("clone", "-q", "-b", OWN, "origin", "stranger", cwd=scene.folder)


def text_of(root: Path, number: int) -> str:
    return f"{PRIVATE} {root.name} endpoint {number}"


# The acts: each yields when it is time to look, and leaves the branch as it was


def clean(scene: Scene) -> Iterator[str]:
    scene.git("clean", "-q", "-fdx")
    yield "git clean -fdx"


def stash(flag: str) -> Callable[[Scene], Iterator[str]]:
    def act(scene: Scene) -> Iterator[str]:
        change(scene)
        scene.git("stash", "push", "-q", flag)
        yield f"git stash {flag}"
        scene.git("stash", "pop", "-q")
        yield "git stash pop"
        scene.git("checkout", "-q", "--", ".")

    return act


def checkout(scene: Scene) -> Iterator[str]:
    branch = scene.git("branch", "--show-current").strip()
    for other in (WITHOUT, OTHER):
        scene.git("checkout", "-q", other)
        yield f"git checkout {other}"
    scene.git("checkout", "-q", branch)
    yield "git checkout back"


def switch(scene: Scene) -> Iterator[str]:
    branch = scene.git("branch", "--show-current").strip()
    for other in (OTHER, WITHOUT):
        scene.git("switch", "-q", other)
        yield f"git switch {other}"
        scene.git("switch", "-q", "-")
    scene.git("switch", "-q", "--detach", WITHOUT)
    yield "git switch --detach"
    scene.git("switch", "-q", branch)
    yield "git switch back"


def sparse(scene: Scene) -> Iterator[str]:
    scene.git("sparse-checkout", "set", "--cone", str((scene.root / "src").relative_to(scene.top)))
    yield "git sparse-checkout set"
    scene.git("sparse-checkout", "disable")
    yield "git sparse-checkout disable"


def worktree(scene: Scene) -> Iterator[str]:
    """What is private of the project is the new worktree's too; its role is its own."""
    other = scene.folder / "home" / "another"
    for branch in (OTHER, WITHOUT):
        scene.git("worktree", "add", "-q", str(other), branch)
        yield f"git worktree add {branch}"
        added = Scene(scene.folder, other, other / scene.root.relative_to(scene.top))
        yield from (f"in it: {fault}" for fault in check_memories(added, added.root, scene.root))
        scene.git("worktree", "remove", "--force", str(other))
        yield "git worktree remove"


def reset(scene: Scene) -> Iterator[str]:
    change(scene)
    scene.git("reset", "-q", "--hard")
    yield "git reset --hard"
    scene.git("reset", "-q", "--hard", WITHOUT)
    yield f"git reset --hard {WITHOUT}"
    scene.git("reset", "-q", "--hard", "ORIG_HEAD")
    yield "git reset --hard back"


def rebase(scene: Scene) -> Iterator[str]:
    change(scene)
    scene.commit("more")
    scene.git("rebase", "-q", OTHER)
    yield "git rebase"
    scene.git("reset", "-q", "--hard", "ORIG_HEAD")
    yield "git reset --hard"


def pull(scene: Scene) -> Iterator[str]:
    """A stranger commits, with force, files in every place where private ones lay."""
    stranger = scene.folder / "stranger"
    prefix = scene.root.relative_to(scene.top)
    before = scene.git("rev-parse", "HEAD").strip()
    for path, text in BROUGHT.items():
        full = stranger / prefix / ".limpet" / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")
    scene.git("add", "-A", "-f", cwd=stranger)
    scene.git("commit", "-q", "--allow-empty", "-m", "theirs", cwd=stranger)
    scene.git("push", "-q", "origin", OWN, cwd=stranger)
    scene.git("pull", "-q", "--no-rebase", "--no-edit", str(scene.folder / "origin"), OWN)
    yield "git pull"
    said = scene.hook("UserPromptSubmit", scene.root, session_id="new", prompt="Where is the endpoint?", prompt_id="q")
    said += scene.hook("SessionStart", scene.root, session_id="newer", source="startup")
    if THEIRS in said:
        yield f"believed: {said[said.index(THEIRS) - 100 :][:200]}"
    scene.git("reset", "-q", "--hard", before)
    yield "git reset --hard"


def add(scene: Scene) -> Iterator[str]:
    change(scene)
    scene.commit("everything")
    yield "git add -A, and commit"


ACTS: dict[str, Callable[[Scene], Iterator[str]]] = {
    "clean": clean,
    "stash-a": stash("-a"),
    "stash-u": stash("-u"),
    "checkout": checkout,
    "switch": switch,
    "sparse": sparse,
    "worktree": worktree,
    "reset": reset,
    "rebase": rebase,
    "pull": pull,
    "add": add,
}


def change(scene: Scene) -> None:
    """Leave a change in the code and one in the story, a new file and an ignored one."""
    story = ".limpet/stories/S-1/story.md"
    for path, text in {
        "src/app.py": f"app = {time.monotonic_ns()}\n",
        story: f"{(scene.root / story).read_text(encoding='utf-8')}\nOn it.\n",
        "new.txt": "new\n",
        ".limpet/inbox/left": "",
    }.items():
        (scene.root / path).parent.mkdir(parents=True, exist_ok=True)
        (scene.root / path).write_text(text, encoding="utf-8")


# What must hold


def check(scene: Scene, brought: bool) -> Iterator[str]:
    """Yield what does not, in every project of the scene; ``brought``: a stranger's files lie in the tree."""
    for root in filter(None, (scene.root, scene.beside)):
        if not root.is_dir():  # a sparse checkout has taken all of it away
            continue
        yield from check_memories(scene, root, root)
        status = json.loads(scene.limpet("status", "--json", cwd=root))
        found = (status["agent"], status["mode"], bool(status["trust"]["since"]))
        if found != (AGENT, MODE, True):
            yield f"role, mode and trust are {found}"
        call = {"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "t"}
        answer = scene.hook("PreToolUse", root, permission_mode="default", **call)
        if REFUSED not in answer:
            yield f"the push: {answer[:300]!r}"
    yield from check_tree(scene, brought)


def check_memories(scene: Scene, root: Path, owner: Path) -> Iterator[str]:
    told = scene.limpet("memory", "list", "--json", "--limit", "100", cwd=root)
    titles = [each["title"] for each in json.loads(told)]
    missing = {text_of(owner, number) for number in range(MEMORIES)} - set(titles)
    if missing or len(titles) != MEMORIES:
        yield f"{len(titles)} memories, {len(missing)} missing"
    if THEIRS in told:
        yield "a memory of theirs"


def check_tree(scene: Scene, brought: bool) -> Iterator[str]:
    """No private word in the tree, the index, a commit or a stash; no private file by its name."""
    searches = (
        ("grep", "-rl", PRIVATE, "."),
        ("git", "grep", "--no-index", "-l", PRIVATE),
        ("git", "grep", "-l", PRIVATE, *scene.git("rev-list", "--all", "--reflog").split()),
    )
    for words in searches:
        if found := scene.run(*words, cwd=scene.top, codes=(0, 1)).strip():
            yield f"{' '.join(words[:4])} finds {found[:200]}"
    if PRIVATE in scene.run("find", ".", "-type", "f", "-exec", "cat", "{}", "+", cwd=scene.top):
        yield "find -exec cat shows a private word"
    listed = scene.git("ls-files") + scene.git("status", "--porcelain", "--ignored", "--untracked-files=all")
    names = [line for line in listed.splitlines() for path in BROUGHT if line.endswith(f".limpet/{path}")]
    if names and not brought:
        yield f"private names: {names[:5]}"


def play(scene: Scene, name: str, tally: Tally) -> None:
    for told in ACTS[name](scene):
        is_look = told.startswith("git ")
        tally.looks += is_look
        faults = check(scene, told == "git pull") if is_look else [told]
        tally.faults += [f"{scene.top.name}, {name}, {told}: {fault}" for fault in faults]
    tally.acts += 1


def choose(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Pairs of a layout and an act, those of a layout in an order by chance."""
    random = Random(options.seed)
    pairs = [(layout, act) for layout in options.layouts for act in options.acts]
    random.shuffle(pairs)
    return sorted(pairs[: options.sample], key=lambda pair: pair[0])


def main() -> int:
    options = read_options()
    tally, began = Tally(), time.monotonic()
    for layout, pairs in groupby(choose(options), key=lambda pair: pair[0]):
        with tempfile.TemporaryDirectory(prefix="limpet-git-") as temporary:
            folder = Path(os.path.realpath(temporary))
            (folder / "home").mkdir()
            scene = LAYOUTS[layout](folder)
            settle(scene)
            tally.faults += [f"{layout}, at the start: {fault}" for fault in check(scene, False)]
            for _, act in pairs:
                play(scene, act, tally)
    figures = {**tally.__dict__, "seconds": round(time.monotonic() - began, 1)}
    lines = [f"{key:8} {len(value) if key == 'faults' else value}" for key, value in figures.items()]
    print(json.dumps(figures) if options.json else "\n".join([*lines, *tally.faults]))
    return 1 if tally.faults else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument("--acts", nargs="+", choices=ACTS, default=list(ACTS))
    parser.add_argument("--sample", type=int, metavar="N", help="so many of all pairs, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
