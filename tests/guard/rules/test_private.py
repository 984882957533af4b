"""Other agents' private memory, and the folders that are Limpet's alone."""

import os

import pytest

from ...places import private_at
from ..scenes import SCENE, answer, read, scene, write

MEMORY, STATE = ("deny", "private.memory"), ("deny", "kept.state")
FOREIGN = ".limpet/memories/dev"


@pytest.mark.parametrize("call", [read(f"{FOREIGN}/a.md"), read(FOREIGN, "search"), write(f"{FOREIGN}/a.md")])
@pytest.mark.parametrize("permission", ["", "auto"])
def test_another_agents_memory_is_closed(call, permission):
    """To every tool, in every mode."""
    assert answer(call, scene("qa-implementation", permission=permission)) == MEMORY


@pytest.mark.parametrize(
    "text",
    [
        f"cat {FOREIGN}/a.md",
        "cat .limpet/memories/*/a.md",
        "cat .limpet/memories/d?v/a.md",
        "cat .limpet/memories/{dev,qa}/a.md",
        "grep -r secret .limpet",
        "cd .limpet/memories && head dev/a.md",
        f"base64 < {FOREIGN}/a.md",
        f"cp {FOREIGN}/a.md /tmp/x",
    ],
)
def test_a_shell_does_not_open_it(text):
    """Globs, folders around it and redirections included."""
    assert answer(text, scene("qa-implementation")) == MEMORY


@pytest.mark.parametrize(
    "text",
    [
        f"git diff --no-index {FOREIGN}/a.md /dev/null",
        f"git hash-object {FOREIGN}/a.md",
        f"git grep --no-index x {FOREIGN}",
        "git grep --no-index x .limpet",
        f"git show HEAD:{FOREIGN}/a.md",
        f"curl file://{SCENE.root}/{FOREIGN}/a.md",
        f"docker run -v {SCENE.root}/{FOREIGN}:/m image",
        f"docker run -v $PWD/{FOREIGN}:/m image",
        f"docker run --mount type=bind,src={SCENE.root}/{FOREIGN},dst=/m image",
        f"unknown --in={FOREIGN}/a.md",
        f"unknown -i{FOREIGN}/a.md",
        "unknown .limpet/mem*/d*",
        "unknown .l*/memories/*/*",
        "unknown .limpet/memories/$WHO/a.md",
        "unknown $WHERE/memories/dev/a.md",
        f"cd {FOREIGN} && unknown a.md",
        f"make FILE={FOREIGN}/a.md",
        f"python3 -c \"print(open('{FOREIGN}/a.md').read())\"",
        f"python3 - <<E\nprint(open('{FOREIGN}/a.md').read())\nE",
        f"pwsh -c 'gc {FOREIGN}/a.md'".replace("/", "\\"),
    ],
)
def test_whatever_the_program_a_named_path_is_denied(text):
    """Also a part of a word, a glob, one with a part that only the shell knows, one in code."""
    assert answer(text, scene("qa-implementation")) == MEMORY
    assert "dev" not in text or answer(text, scene("dev"))[1] != "private.memory"


@pytest.mark.parametrize(
    "text",
    [
        *("grep -rn x .", "[ -d .limpet/memories ]", "cd .limpet/memories", "wc -l */*/*", "unknown $A/$B/$C/$D"),
        *(f"echo {FOREIGN}", "grep -q .limpet/memories .gitignore", "unknown src/memories/dev", "git add .limpet"),
        *("unknown .limpet/memories/shared/a.md", f"git log --grep 'in {FOREIGN}/a.md'"),
    ],
)
def test_what_names_no_private_memory_is_ordinary(text):
    """The project as a whole, the folders around, shared memories, a word that is only printed."""
    assert answer(text, scene("qa-implementation")) == ("allow", "")


@pytest.mark.parametrize("agent", ["dev", ""])
def test_the_owner_reads_its_own_and_nobody_reads_all(agent):
    """A conversation without an agent is no agent's."""
    assert answer(read(f"{FOREIGN}/a.md"), scene(agent)) == (("allow", "") if agent else MEMORY)


@pytest.mark.parametrize(
    "text", ["ls .limpet", "git add .limpet", "mkdir -p .limpet/memories", "git -C .limpet status"]
)
def test_what_does_not_reach_below_a_folder_is_ordinary(text):
    """Its own names are no memories."""
    assert answer(text, scene("qa-implementation")) == ("allow", "")


def test_a_search_of_the_project_is_ordinary():
    """It is not Limpet's folder that is searched."""
    assert answer(read(".", "search"), scene("dev")) == ("allow", "")
    assert answer("grep -rn token src", scene("dev")) == ("allow", "")


@pytest.mark.parametrize("call", [read(".limpet/events/a.jsonl"), write(".limpet/cache/plan"), "cat .limpet/events/*"])
def test_cache_and_events_are_limpets(call):
    """Nobody reads or writes them by hand."""
    assert answer(call) == STATE


def test_a_link_does_not_lead_around_it(tmp_path):
    """What counts is where the path leads."""
    private = private_at(tmp_path, "memories", "dev")
    private.mkdir(parents=True)
    os.symlink(private, tmp_path / "notes")
    where = SCENE.replace(
        agent="qa-implementation", root=str(tmp_path), home=str(tmp_path / ".limpet"), owners={str(private): "dev"}
    )
    call = read("x").replace(paths=(str(tmp_path / "notes" / "a.md"),))
    assert answer(call, where) == MEMORY


def test_the_state_of_the_work_is_not_written_by_hand():
    """Permission and gates stand in it; without work it is a file like any other."""
    call = write(".limpet/session.yaml", "permission: auto\n")
    assert answer(call, scene("dev")) == ("ask", "kept.state")
    assert answer(read(".limpet/session.yaml"), scene("dev")) == ("allow", "")
    assert answer(call) == ("allow", "")
