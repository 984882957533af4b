"""All seven clients together in one git repository: what is the person's stays theirs, and all of it is given back."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.ground.workspace import workspace_at
from limpet.hosts.registry import HOSTS

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, run_hook

WISH, STOOD = "tabs in Makefiles", "At the parser."
# Files that the clients' own users wrote before, in a project and in their home folder.
THEIRS = {
    ".claude/settings.local.json": '{\n    "model": "opus"\n}',
    ".codex/hooks.json": '{"hooks": {}}\n',
    ".github/copilot/settings.local.json": '{"theme":"dark"}',
    ".github/instructions/mine.instructions.md": "mine\n",
    ".github/hooks/lint.json": '{"version": 1, "hooks": {}}\r\n',
    ".gemini/settings.json": "{}\n",
    ".cursor/hooks.json": '{"version": 1, "hooks": {}}',
    ".cursor/rules/mine.mdc": "mine",
    ".cursor/mcp.json": '{"mcpServers": {"theirs": {"command": "x"}}}\n',
    ".vscode/settings.json": "{}",
    ".agents/hooks.json": "{}\n",
    "AGENTS.md": "# Ours\n",
    "src/app.py": "print(1)\n",
}


@pytest.fixture
def project(tmp_path, user, monkeypatch):
    """A repository with files of every client, and a list of what git does not show."""
    folder = tmp_path / "project"
    for name, text in THEIRS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    monkeypatch.chdir(folder)
    git("init", "-q")
    (folder / ".git" / "info" / "exclude").write_bytes(b"# mine\n*.log")
    return folder


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def run(*words):
    done = CliRunner().invoke(limpet, [*words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def tree(*roots):
    """Each file's bytes and mode, each link, each folder; without git's own ledger and our launcher's folder."""
    found = {}
    for root in roots:
        for path in Path(root).rglob("*"):
            inner = path.relative_to(root).parts
            if inner[0] == ".git" and inner[1:2] != ("info",):
                continue
            content = path.read_bytes() if path.is_file() else None
            found[str(path)] = (os.lstat(path).st_mode, content)
    return found


def install(project, *options):
    named = [word for name in HOSTS for word in ("--host", name)]
    return run("init", *named, "--own-file", "--yes", *options)


def work(project):
    """The person says a wish, and a conversation leaves where it stood."""
    given = {"conversation_id": "c1", "cursor_version": "3", "workspace_roots": [str(project)]}
    prompt = {**given, "prompt": f"*remember I want {WISH}.", "generation_id": "g1"}
    run_hook(json.dumps(prompt).encode(), "cursor", "beforeSubmitPrompt", cwd=str(project))
    stood = Path(workspace_at(str(project)).kept("continuation", "latest.md"))
    stood.parent.mkdir(parents=True, exist_ok=True)
    stood.write_text(f"# Continuation\n{STOOD}\n")
    run("resume", "--write")
    run_hook(json.dumps(given).encode(), "cursor", "sessionStart", cwd=str(project))


def test_adding_all_publishes_neither_wish_nor_continuation(project):
    """And no path of this machine."""
    install(project)
    write_rules(workspace_at(str(project)), MANIFEST, **RULES)
    work(project)
    private = (project / ".cursor" / "rules" / "limpet-private.mdc").read_text()
    assert WISH in private and STOOD in private
    git("add", "-A")
    staged = {name: git("show", f":{name}") for name in git("diff", "--cached", "--name-only").splitlines()}
    assert {".limpet/rules/api", "src/app.py"} <= set(staged)
    assert [name for name, text in staged.items() if WISH in text or STOOD in text] == []
    theirs = {name for name in staged if name in THEIRS}
    assert [name for name in set(staged) - theirs if str(project.parent) in staged[name]] == []


@pytest.mark.parametrize("options", [(), ("--cloud-file", "--mcp"), ("--shared",), ("--user",)], ids=" ".join)
def test_uninstall_gives_back_every_byte_of_tree_list_and_home(project, user, user_folders, options):
    homes = [user, *(user_folders / name for name in ("codex_home", "copilot_home", "gemini_cli_home"))]
    before = tree(project, *homes)
    install(project, *options)
    write_rules(workspace_at(str(project)), MANIFEST, **RULES)
    work(project)
    install(project, *options)
    state = json.loads(run("hosts", "--json"))
    assert [each["name"] for each in state if each["hooks"]] == list(HOSTS)
    assert "limpet-private" in (project / ".git" / "info" / "exclude").read_text()
    run("uninstall", "--yes", "--purge", *(["--user"] if "--user" in options else []))
    after = tree(project, *homes)
    assert {path: after.get(path) for path in before} == before
    assert sorted(set(after) - set(before)) == []
