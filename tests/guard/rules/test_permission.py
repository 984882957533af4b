"""The permission modes explore, ask and auto; destructive acts; commands that cannot be understood."""

import pytest

from limpet.guard.call import ToolCall

from ..scenes import SCENE, answer, read, scene, verdicts, write

EXPLORE, ASK, AUTO = (SCENE.replace(permission=name) for name in ("explore", "ask", "auto"))
FINE = ("allow", "")
BYPASSES = (
    "cat x > /etc/passwd",
    "ls; rm -rf /srv/harbour/src",
    "find . -delete",
    "find . -exec rm {} +",
    "git branch -D main",
    "env rm -rf x",
    "git log && git push --force",
    "gh api -X DELETE repos/a/b",
)


@pytest.mark.parametrize("text", BYPASSES)
@pytest.mark.parametrize("where", [EXPLORE, ASK])
def test_the_known_bypasses_are_asked(text, where):
    """Eight that SYNAPSE's guard took for reading."""
    assert answer(text, where)[0] == "ask"


def test_the_ninth_bypass_is_a_write():
    """Several edits in one call."""
    call = write("src/a.py").replace(tool="MultiEdit", whole=False, edits=(("a", "b", False), ("c", "d", True)))
    assert answer(call, EXPLORE) == ("ask", "permission.explore")


@pytest.mark.parametrize(
    "text",
    [
        "git status",
        "ls -la src",
        "git log --oneline | head -5",
        "cat a.py && wc -l b.py",
        "grep -rn x . 2>/dev/null",
        "pip show click",
        "limpet guard explain mode.scope",
        "limpet memory list",
        "npm ls",
        "docker ps",
        "git branch -a",
        "git remote -v",
        "git stash list",
        "git config --get user.name",
        "python3 --version",
        "awk -F: '{ print $1 }' a",
        "bash -c 'ls src'",
        "pwd",
    ],
)
def test_explore_reads_without_a_question(text):
    """What is known as reading."""
    assert answer(text, EXPLORE) == FINE


@pytest.mark.parametrize("text", ["pytest -q", "npm run build", "curl https://example.com", "./run.sh"])
def test_explore_asks_about_what_is_not_known_as_reading_and_ask_does_not(text):
    """Ask confirms changes: a program that runs is none."""
    assert answer(text, EXPLORE) == ("ask", "permission.explore")
    assert answer(text, ASK) == FINE


@pytest.mark.parametrize(
    "text", ["cargo build", "./build/mvn test", "cargo fmt --all --check", "mkdir -p build/x", "go build"]
)
def test_ask_lets_builds_run(text):
    """What they make, they make again."""
    assert answer(text, ASK) == FINE


@pytest.mark.parametrize(
    "text",
    [
        "npm install left-pad",
        "cargo fmt",
        "cargo build > a.txt",
        "echo x --check > a.txt",
        "git commit -m x",
        "touch a",
        "git push",
        "mkdir -p src/x",
    ],
)
def test_ask_confirms_each_change(text):
    """Files, history and remotes."""
    assert answer(text, ASK) == ("ask", "permission.ask")
    assert answer(text, AUTO) == FINE
    assert answer(text) == FINE


def test_tools_are_judged_by_their_hints():
    """One that says that it reads is believed; one that says nothing is asked about where only reading is meant."""
    tool = ToolCall(kind="tool", tool="mcp__db__query")
    reading, breaking = tool.replace(hints={"readOnlyHint": True}), tool.replace(hints={"destructiveHint": True})
    assert [answer(each, EXPLORE)[0] for each in (reading, tool, breaking)] == ["allow", "ask", "ask"]
    assert [answer(each, ASK)[0] for each in (reading, tool, breaking)] == ["allow", "allow", "ask"]


@pytest.mark.parametrize("kind", ["read", "search", "web", "agent", "question"])
def test_reading_is_free(kind):
    """Files, pages, sub-agents, whose own calls are judged, and questions."""
    assert answer(read("src/a.py", kind), EXPLORE) == FINE


@pytest.mark.parametrize("text", ["rm -rf src", "git reset --hard", "git clean -fdx", "git push --force"])
def test_an_agent_asks_before_it_destroys(text):
    """Article IV; without an agent the host's own mode decides."""
    assert "destructive" in {each.rule for each in verdicts(text, scene("dev"))}
    assert answer(text, scene("dev", settings={"authority": {"push": ["dev"]}})) == ("ask", "destructive")
    assert verdicts(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf node_modules dist",
        "rm -rf /tmp/x",
        "rm -rf build/ && make",
        "rm -f a.db",
        'rm -rf "$(mktemp -d)"',
        "find . -name '*.pyc' -delete",
        "find . -name __pycache__ -exec rm -rf {} +",
    ],
)
def test_what_tools_make_again_is_not_destroyed(text):
    """Cleaning up is ordinary work."""
    assert answer(text, scene("dev")) == FINE


@pytest.mark.parametrize(
    "text", ["rm -rf /", "rm -rf ~", "rm -rf /*", "sudo rm -rf --no-preserve-root /", "cd / && rm -rf *"]
)
def test_everything_is_never_deleted(text):
    """Denied while an agent is active or a person set a mode, auto too; else asked."""
    assert answer(text, scene("dev")) == ("deny", "destructive")
    assert answer(text, AUTO) == ("deny", "destructive")
    assert answer(text) == ("ask", "destructive.all")


@pytest.mark.parametrize(
    "text",
    [
        *("rm -rf .git", "rm -rf *", "rm -rf ../harbour", "cd .. && rm -r harbour", "rm -rf .git/*", "find ~ -delete"),
        *("git filter-branch --all", "mkfs.ext4 /dev/sda1", "dd if=x of=/dev/sda", "cat x > /dev/nvme0n1"),
        *("tee /dev/disk2 < x", "shred /dev/sdb", "sudo sh -c 'rm -rf .git'", "rm -rf $HOME"),
    ],
)
def test_what_nobody_wants_is_asked_without_an_agent(text):
    """In every mode; where the host would answer for the person it is denied."""
    assert answer(text) == ("ask", "destructive.all")
    assert answer(text, AUTO)[0] in ("ask", "deny")
    assert answer(text, SCENE.replace(host_mode="bypassPermissions")) == ("deny", "destructive.all")
    assert answer(text, SCENE.replace(settings={"rules": {"destructive": False}})) == FINE


@pytest.mark.parametrize(
    "text",
    [
        *("rm -rf src", "rm -rf app/.git", "rm .git/index.lock", "git clean -fdx", "git reset --hard", "rm -rf /tmp/x"),
        *(
            "find . -name '*.log' -delete",
            "dd if=x of=disk.img",
            "mkfs.ext4 disk.img",
            "echo 'rm -rf /'",
            "rm -rf node_modules",
        ),
        *("echo x > /dev/null", "cat x > /dev/tty", "rm -rf .github", "mv .git /tmp/x"),
    ],
)
def test_what_somebody_may_want_is_the_hosts_matter_without_an_agent(text):
    """The list is short."""
    assert answer(text) == FINE


def test_what_cannot_be_understood_is_asked_in_explore_and_ask():
    """The reason says why."""
    found = verdicts('eval "$X"', ASK)
    assert [(each.answer, each.rule) for each in found] == [("ask", "unclear")]
    assert "cannot be understood (" in found[0].reason


def test_else_a_word_must_name_what_is_forbidden():
    """An agent that may not push is asked; one that may is not, and nobody is where there is no agent."""
    assert answer('eval "$X push"', scene("dev")) == ("ask", "unclear")
    assert answer('eval "$X push"', scene("devops")) == FINE
    assert answer('eval "$X push"') == FINE
    assert answer('eval "$X"', scene("dev")) == FINE


def test_private_memory_in_what_cannot_be_understood_is_asked():
    """Also without an agent."""
    assert answer('eval "$X/.limpet/memories/dev/a.md"') == ("ask", "unclear")


@pytest.mark.parametrize("text", ["python3 -c 'print(1)'", "node <<E\nx\nE", "awk '{ print > \"f\" }' a", "pwsh -c ls"])
def test_code_is_asked_about_in_explore_and_ask(text):
    """It is not read; an agent's runs, and what it changes will be seen."""
    assert answer(text, EXPLORE)[0] == "ask"
    assert answer(text, ASK) == ("ask", "unclear")
    assert answer(text, scene("dev")) == FINE


def test_code_that_may_start_programs_is_asked_about_by_its_words():
    """As whoever may not do what a word of it names."""
    text = 'python3 -c \'import subprocess; subprocess.run(["git", "push"])\''
    assert answer(text, scene("dev")) == ("ask", "unclear")
    assert answer(text, scene("devops")) == answer(text) == FINE
    assert answer("git commit -m 'never push' && python3 -c 'import subprocess'", scene("dev")) == FINE


def test_the_settings_say_what_is_answered_then():
    """``guard.unclear``."""
    assert answer('eval "$X"', ASK.replace(settings={"unclear": "deny"})) == ("deny", "unclear")


def test_explore_reads_and_writes_at_most_a_temporary_file():
    """A log and a build's output are writes; ``ask`` leaves them."""
    for text in ("ls | tee app.log", "cp a.py dist/a.py", "echo x > build/x"):
        assert (answer(text, EXPLORE), answer(text, ASK)) == (("ask", "permission.explore"), FINE)
    assert answer("ls > /tmp/limpet-list", EXPLORE) == FINE
