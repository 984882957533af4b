"""What is private of projects, and the folders that are Limpet's alone."""

import json
import os
from pathlib import Path

import pytest

from limpet.ground.storage.user_folders import user_config_path
from limpet.hosts.commands.lines import shared_command

from ..scenes import DATA, SCENE, answer, edit, read, scene, shell, verdicts, write

MEMORY, STATE = ("deny", "private.memory"), ("deny", "kept.state")
PROJECT = f"{DATA}/projects/x"
FOREIGN = f"{PROJECT}/shared/memories/dev"


@pytest.mark.parametrize(
    "call",
    [
        *(read(f"{FOREIGN}/a.md"), read(FOREIGN, "search"), write(f"{FOREIGN}/a.md")),
        *(
            f"cat {FOREIGN}/a.md",
            f"cat {DATA}/projects/*/shared/memories/d?v/a.md",
            f"cat {PROJECT}/trees/{{a,main}}/x",
        ),
        *(f"grep -r secret {PROJECT}", f"cd {PROJECT} && head shared/a.md", f"base64 < {FOREIGN}/a.md"),
        *(f"cp {FOREIGN}/a.md /tmp/x", "grep -r secret /home/ada/.local/share", f"rm -rf {DATA}", f"ls {PROJECT}"),
        *(f"tee {PROJECT}/trees/main/session.yaml", f"sqlite3 {PROJECT}/x", f"cp -r {DATA} .", f"ln -s {DATA} notes"),
    ],
)
@pytest.mark.parametrize("agent", ["dev", "qa-implementation", ""])
@pytest.mark.parametrize("permission", ["", "auto"])
def test_what_is_private_is_closed(call, agent, permission):
    """To every tool, for every agent, in every mode: what it may know it is told by commands."""
    assert answer(call, scene(agent, permission=permission)) == MEMORY


@pytest.mark.parametrize(
    "text",
    [
        f"git diff --no-index {FOREIGN}/a.md /dev/null",
        f"git hash-object {FOREIGN}/a.md",
        f"git grep --no-index x {FOREIGN}",
        f"curl file://{FOREIGN}/a.md",
        f"docker run -v {FOREIGN}:/m image",
        f"docker run --mount type=bind,src={FOREIGN},dst=/m image",
        f"unknown --in={FOREIGN}/a.md",
        f"unknown -i{FOREIGN}/a.md",
        f"unknown {DATA}/pro*/*",
        f"unknown {DATA}/$WHO/a.md",
        f"cd {FOREIGN} && unknown a.md",
        f"make FILE={FOREIGN}/a.md",
        f"python3 -c \"print(open('{FOREIGN}/a.md').read())\"",
        f"python3 - <<E\nprint(open('{FOREIGN}/a.md').read())\nE",
        *("grep -rn secret /home/ada", "grep -R secret /", "find /home -type f -exec cat {} +", "rg -uu x /home/ada"),
        *("find /home/ada -name '*.md' -exec cat {} +", "find /home -iname 'a*' -exec cat {} ;"),
        *("find /home/ada -name '*.md' | xargs grep secret", "git grep --no-index secret /home/ada"),
        *("cp -r /home/ada /tmp/x", "tar czf /tmp/x.tgz /home/ada", "cd /home/ada && grep -r secret ."),
    ],
)
def test_whatever_the_program_a_named_path_is_denied(text):
    """Also a part of a word, a glob, one with a part that only the shell knows, one in code."""
    assert answer(text, scene("qa-implementation")) == MEMORY


@pytest.mark.parametrize(
    "call",
    [
        *(
            "grep -rn x .",
            "[ -d .limpet/memories ]",
            "wc -l */*/*",
            "unknown $A/$B/$C/$D",
            "cat .limpet/memories/team/a.md",
        ),
        *(f"echo {FOREIGN}", f"git log --grep 'in {FOREIGN}/a.md'", "ls .limpet", "git add -A", "git clean -fdx -n"),
        *("cat .limpet/session.yaml", "unknown src/limpet/projects", "ls /home/ada/.local/share", read(".", "search")),
        *("find . -type f -exec cat {} +", "git grep --no-index x", "grep x /home/ada/notes", "ls -R /home/ada"),
        *("find /home/ada -name '*.py' -exec cat {} +", "cp -r src /home/ada"),
        *("find /home/ada -name 'a*'", "find / -name core -exec rm {} +", "rg x /home/ada"),
    ],
)
def test_what_names_nothing_private_is_ordinary(call):
    """The project as a whole, all of which is git's, and a word that is only printed."""
    assert answer(call, scene("qa-implementation")) == ("allow", "")


@pytest.mark.parametrize(
    "call",
    ["cat /home/ada/.local/state/limpet/key", write("/home/ada/.cache/limpet/x")],
)
def test_what_limpet_keeps_of_this_machine_is_its_own(call):
    """Nobody reads or writes it by hand."""
    assert answer(call) == STATE


def test_a_link_does_not_lead_around_it(tmp_path):
    """What counts is where the path leads."""
    (tmp_path / "data").mkdir()
    os.symlink(tmp_path / "data", tmp_path / "notes")
    where = SCENE.replace(root=str(tmp_path), kept=(str(tmp_path / "data"),))
    call = read("x").replace(paths=(str(tmp_path / "notes" / "a.md"),))
    assert answer(call, where) == MEMORY


DEV, NOBODY = scene("dev"), SCENE
ROLES = [DEV, scene("dev", permission="auto"), scene(permission="explore")]
FINE, ASK, DENY, TOLD = ("allow", ""), ("ask", "registration"), ("deny", "registration"), ("allow", "registration")
NEW = ("deny", "authority.conversation")
OURS = {"type": "command", "command": shared_command("claude-code", "PreToolUse"), "timeout": 5}
GROUP = {"matcher": "Bash", "hooks": [OURS]}
SETTINGS = {"hooks": {"PreToolUse": [GROUP]}, "statusLine": {"type": "command", "command": "limpet x"}}
PATH = ".claude/settings.json"
HARMLESS = (Path(__file__).parent.parent / "shell" / "harmless.txt").read_text(encoding="utf-8")


def text(**changes):
    return json.dumps({**SETTINGS, **changes}, indent=2)


@pytest.mark.parametrize("where", ROLES)
@pytest.mark.parametrize(
    "call",
    [
        write(PATH, text(model="opus")),
        write(".claude/agents/devops.md"),
        write(".limpet/agents/dev.yaml"),
        write(".limpet/constitution.md"),
        write(".git/hooks/pre-push"),
        write("limpet/config.yaml", folder=os.path.dirname(os.path.dirname(user_config_path()))),
        shell("cp evil.json .claude/settings.json"),
        shell("cd .claude && cat ../evil > settings.local.json"),
        shell('cp evil.json "$(git rev-parse --show-toplevel)/.claude/settings.json"'),
        shell("tee ~/.claude/settings.json < evil.json"),
        shell("ln -sf evil.json .github/hooks/limpet.json"),
        shell("sed -i s/PreToolUse/x/ .claude/settings.json"),
        shell("git checkout evil -- .claude/settings.json"),
        shell("cp -r evil/. .claude"),
        shell("python3 -c \"import shutil; shutil.copy('evil.json', '.claude/settings.json')\""),
        shell("python3 -c \"import os; os.remove('.claude/settings.json')\""),
        shell("pwsh -c 'ri .claude\\\\settings.json'"),
        shell("rm .limpet/rules/global"),
        shell("chmod 0644 .git/hooks/pre-push"),
        shell("git config --global core.hooksPath /dev/null"),
        shell("git config set alias.x '!git push'"),
        shell("echo 'enabled: false' >> .limpet/config.local.yaml"),
    ],
)
def test_a_change_is_asked_about(call, where):
    """In every mode: the rules that bind stand on these files. Where the host would answer it is denied."""
    assert answer(call, where, text()) == ASK
    assert {answer(call, scene("dev", host_mode=each), text()) for each in ("bypassPermissions", "auto")} == {DENY}


@pytest.mark.parametrize("where", ROLES)
@pytest.mark.parametrize(
    "call",
    [
        write(PATH, "{}"),
        write(PATH, text() + "}"),
        write(PATH, text(disableAllHooks=True)),
        write(PATH, text(hooks={"PreToolUse": [{**GROUP, "matcher": "Never"}]})),
        write(PATH, text(hooks={"Stop": [GROUP]})),
        edit(PATH, ('"PreToolUse"', '"preToolUse"')),
        edit(PATH, ('"hooks": {', '"disableAll\\u0048ooks": true, "hooks": {')),
        shell("""echo '{"disableAllHooks": true}' > .claude/settings.local.json"""),
        shell("rm -f .claude/settings.json"),
        shell("rm -rf .claude"),
        shell("rm .claude/*"),
        shell("mv .claude .claude.bak"),
        shell("mv .claude/settings.json x"),
        shell("mv .codex y"),
        shell("truncate -s 0 ~/.claude/settings.json"),
        shell("limpet uninstall --yes"),
        shell("python3 -m limpet uninstall --yes"),
        shell("pip uninstall -y limpet"),
        shell("python3 -m pip uninstall limpet"),
        shell("uv tool uninstall 'limpet[fast]'"),
        shell("pipx uninstall limpet"),
    ],
)
def test_what_switches_limpet_off_is_denied(call, where):
    """By the text where it is known, else by what the program does."""
    found, rule = answer(call, where, text())
    assert (found, rule) == DENY, verdicts(call, where, text())


@pytest.mark.parametrize(
    "call",
    [
        edit(PATH, ("nowhere", "x")),
        write(".claude/skills/x/SKILL.md"),
        write(".vscode/settings.json"),
        shell("cat .claude/settings.json | jq .hooks"),
        shell("git add .claude/settings.json .git/config"),
        shell("mkdir -p .claude/agents .limpet"),
        shell("python3 -m json.tool .claude/settings.json"),
        shell("git config user.name dev"),
        shell("git config --get core.hooksPath"),
        shell("git remote add origin https://example.com/x.git"),
        shell("limpet rules add GLOBAL 'x' && limpet config set work.gate 90 && limpet work agent new x"),
        shell("pip install limpet && pip uninstall -y requests"),
        shell("grep -rn disableAllHooks docs"),
        *map(shell, filter(None, (line.strip() for line in HARMLESS.splitlines() if line[:1] != "#"))),
    ],
)
def test_an_honest_day_is_not_disturbed(call):
    """Limpet's own commands have doors of their own."""
    found = [each for each in verdicts(call, DEV, text()) if each.rule in ("registration", "authority.conversation")]
    assert found == []


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (shell("cp evil.json .claude/settings.json"), TOLD),
        (shell("rm ~/.claude/settings.json"), TOLD),
        (write(PATH, text(disableAllHooks=True)), TOLD),
        (shell("limpet uninstall --yes"), TOLD),
        (write(PATH, text(model="opus")), FINE),
        (write(".limpet/agents/dev.yaml"), FINE),
        (shell("claude -p hello"), FINE),
    ],
)
@pytest.mark.parametrize("where", [NOBODY, scene(permission="auto")])
def test_where_nobody_is_bound_it_passes_and_the_person_is_told(call, expected, where):
    """Only of what may switch us off."""
    assert answer(call, where, text()) == expected


@pytest.mark.parametrize("command", [
    "claude -p 'git push'", "echo 'git push' | claude", "/opt/bin/claude 'git push' mcp",
    "npx -y @anthropic-ai/claude-code -p x", "timeout 60 env -u CLAUDECODE claude -c -p x",
    "claude -p --append-system-prompt --version x", "codex exec 'git push'", "codex 'git push'",
    "gemini -p --version", "copilot -p x --allow-all-tools", "agy -p x", "cursor-agent -p x", "opencode run x",
])  # fmt: skip
def test_an_agent_starts_no_conversation_by_a_command(command):
    """Its limits would not bind it; where a person set explore or ask, it is asked."""
    assert answer(command, DEV) == answer(command, scene("orchestrator")) == NEW
    assert answer(command, scene(permission="ask")) == ("ask", "permission.ask")
    assert answer(command, scene(permission="explore")) == ("ask", "permission.explore")


def test_another_client_is_not_told_to_run_no_hooks():
    settings = """claude -p x --settings '{"disableAllHooks": true}'"""
    assert DENY in {(each.answer, each.rule) for each in verdicts(settings, DEV)}
    assert answer(settings, scene(permission="ask")) == DENY


@pytest.mark.parametrize(
    "command",
    ["claude --version", "claude mcp list", "claude doctor", "codex login", "codex -h", "gemini -l", "copilot help"],
)
def test_what_starts_no_conversation_is_left(command):
    assert answer(command, DEV) == FINE


def test_a_subagent_has_at_most_the_authority_of_who_started_it():
    """Both are judged, and the denial says how the person lets it."""
    devops = scene("devops")
    assert answer("git push", devops)[0] == "allow"
    found = verdicts("git push", devops.replace(starter="dev"))
    (denied,) = [each for each in found if each.answer == "deny"]
    assert denied.reason.startswith("devops was started by dev: dev may not push. Hand it to @devops")
    assert "guard.subagents" in denied.reason
    assert answer("git push", scene("dev", starter="devops"))[0] == "deny"
