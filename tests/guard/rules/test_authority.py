"""Who may do what, while an agent is active."""

import pytest

from limpet.guard.call import ToolCall, strictest

from ..scenes import SCENE, answer, scene, shell, verdicts, write

PUSH = "authority.push"
PLAINLY = ("git push", "cd src && git push origin main", "echo $(git push)", "git -C ../other push", "env A=1 git push")


@pytest.mark.parametrize("text", PLAINLY)
def test_dev_may_not_push(text):
    """However the shell says it."""
    assert answer(text, scene("dev")) == ("deny", PUSH)


def test_a_denial_says_whom_to_hand_the_act_to():
    """What happened, then what to do: the command only while a workflow is under way, which it can end."""
    plain, working = (strictest(verdicts("git push", scene("dev", workflow=name))) for name in ("", "solo"))
    assert plain.reason == "dev may not push. Hand it to @devops, or have the user do it."
    assert working.reason == "dev may not push. Hand it to @devops: limpet work finish -, or have the user do it."
    assert plain.agent == "devops"


def test_devops_may_push_and_the_log_can_say_so():
    """The allowance names its rule."""
    assert answer("git push", scene("devops")) == ("allow", PUSH)


def test_nobody_is_judged_without_an_agent():
    """Authority is an agent's: a conversation without one is the person's own."""
    assert verdicts("git push") == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("gh pr create --fill", "authority.pull-request"),
        ("gh pr merge 4", "authority.merge-request"),
        ("npm publish", "authority.release"),
        ("gh api -X POST repos/a/b/issues", "authority.remote-api"),
        ("vercel --prod", "authority.deploy"),
    ],
)
def test_what_reaches_beyond_the_project_is_devops_own(text, rule):
    """Pull requests, merges, releases, APIs and deploys too."""
    assert answer(text, scene("qa-implementation")) == ("deny", rule)
    assert answer(text, scene("devops")) == ("allow", rule)


def test_the_settings_grant_an_act_to_others():
    """An agent of the project's own pushes only where the settings say so."""
    granted = {"authority": {"push": ["devops", "release-manager"]}}
    assert answer("git push", scene("release-manager")) == ("deny", PUSH)
    assert answer("git push", scene("release-manager", settings=granted)) == ("allow", PUSH)


def test_an_unknown_kind_in_the_settings_is_nothing():
    """A misspelt one stops no call."""
    assert answer("echo x > a.txt", scene("dev", settings={"authority": {"write": ["ux"]}})) == ("allow", "")


def test_the_switch_of_the_settings_ends_it():
    """``guard.rules.authority: false``."""
    assert answer("git push", scene("dev", settings={"rules": {"authority": False}})) == ("allow", "")


@pytest.mark.parametrize("agent", ["qa-implementation", "architect", "tasks", "devops", "orchestrator"])
def test_code_is_written_by_dev(agent):
    """The others' rules say so; their documents are theirs."""
    assert answer(write("src/orders.py"), scene(agent)) == ("deny", "authority.code")
    assert answer(write("docs/orders.md"), scene(agent)) == ("allow", "")


@pytest.mark.parametrize(
    "text", ["sed -i s/a/b/ src/a.py", "echo x > src/a.py", "cp /etc/hosts src/a.py", "tee src/a.py"]
)
def test_code_is_not_written_by_a_shell_either(text):
    """The path counts, not the tool."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.code")


@pytest.mark.parametrize(
    "text", ["pytest -q", "npm ci", "pytest > report.txt", "npm run build", "git stash", "make > build/log"]
)
def test_qa_runs_what_it_needs(text):
    """What tools make on their way is no code."""
    assert answer(text, scene("qa-implementation")) == ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "black src/",
            "ruff check --fix src",
            "ruff format src/a.py",
            "eslint --fix src",
            "gofmt -w pkg",
            "mv src/a.py b",
        ),
        *(
            "prettier --write src/a.ts",
            "rm src/a.py",
            "git rm src/a.py",
            "git mv src/a.py src/b.py",
            "patch src/a.py x",
        ),
        *("cd src && black a.py", "clang-format -i src/a.c"),
    ],
)
def test_what_changes_code_at_a_named_place_writes_it(text):
    """A folder is named too; what works on the whole project is judged by what it changed."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.code")
    assert answer(text, scene("dev")) == answer(text) == ("allow", "")


@pytest.mark.parametrize(
    "text",
    ["black --check src", "ruff check src", "eslint src", "prettier --write docs/a.md", "black .", "git apply x"],
)
def test_what_changes_no_code_at_a_named_place_is_left(text):
    """Checks, documents, and the project as a whole."""
    assert answer(text, scene("qa-implementation")) == ("allow", "")


@pytest.mark.parametrize("text", ["git revert HEAD", "git cherry-pick x", "git am x.patch"])
def test_what_commits_another_ones_change_is_a_commit(text):
    """QA does neither; devops takes over what dev wrote."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.commit")
    assert answer(text, scene("devops")) == ("allow", "")


@pytest.mark.parametrize(
    "path",
    [
        *("Dockerfile", "docker-compose.yml", "compose.prod.yaml", "Makefile", "ci/build.sh", "scripts/deploy.sh"),
        *(
            "pyproject.toml",
            "package.json",
            "web/package.json",
            ".env.example",
            ".github/dependabot.yml",
            "poetry.lock",
        ),
        *(
            "Dockerfile.prod",
            ".dockerignore",
            "scripts/ci/release.py",
            "go.mod",
            "build.gradle.kts",
            ".pre-commit-config.yaml",
        ),
    ],
)
def test_build_and_packaging_are_written_by_dev_and_devops(path):
    """And by agents of the project's own, as code is."""
    for agent in ("dev", "devops", "api-builder"):
        assert answer(write(path, "x"), scene(agent)) == ("allow", "")
    assert answer(write(path, "x"), scene("qa-implementation"))[0] == "deny"


def test_an_agent_of_the_projects_own_writes_code():
    """Unless the settings name who does."""
    named = {"authority": {"code": ["dev"]}}
    assert answer(write("src/a.py"), scene("api-builder")) == ("allow", "")
    assert answer(write("src/a.py"), scene("api-builder", settings=named)) == ("deny", "authority.code")


def test_infrastructure_is_devops_and_devs_and_tokens_are_ux_and_devs():
    """Each kind of file has its owners."""
    assert answer(write(".github/workflows/ci.yml"), scene("devops")) == ("allow", "")
    assert answer(write(".github/workflows/ci.yml"), scene("ux")) == ("deny", "authority.infrastructure")
    assert answer(write("tokens/colors.json"), scene("ux")) == ("allow", "")
    assert answer(write("tokens/colors.json"), scene("architect")) == ("deny", "authority.design")


def test_a_tool_that_pushes_is_a_push():
    """An MCP tool is known by its name, or by the settings; a hint that it only reads does not whitewash it."""
    tool = ToolCall(kind="tool", tool="mcp__github__push_files", hints={"readOnlyHint": True})
    other = tool.replace(tool="mcp__forge__send")
    assert answer(tool, scene("dev")) == ("deny", PUSH)
    assert answer(other, scene("dev")) == ("allow", "")
    assert answer(other, scene("dev", settings={"tools": {"mcp__forge__*": "push"}})) == ("deny", PUSH)


def test_a_tool_that_writes_is_judged_by_its_paths():
    """A server that writes files writes code too."""
    tool = ToolCall(kind="tool", tool="mcp__fs__write_file", paths=(f"{SCENE.root}/src/a.py",))
    known = {"tools": {"mcp__fs__write*": "write"}}
    assert answer(tool, scene("qa-implementation", settings=known)) == ("deny", "authority.code")
    assert answer(tool.replace(paths=()), scene("qa-implementation", settings=known)) == ("allow", "")


@pytest.mark.parametrize(
    "text", ["git commit -m x", "git add . && git -C src commit --amend", "bash -c 'git commit -am x'"]
)
def test_qa_does_not_commit(text):
    """It advises (ADR-001 SYNAPSE, authority boundaries); every other agent commits, its own ones too."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.commit")
    assert answer(text, scene("qa-planning", permission="auto")) == ("deny", "authority.commit")
    assert [answer(text, scene(name))[1] for name in ("dev", "devops", "api-builder")] == [""] * 3


def test_a_file_elsewhere_is_nobodys():
    """Authority is about the project; what leaves it is the mode's."""
    assert answer(write("a.py", folder="/opt/other"), scene("qa-implementation")) == ("allow", "")


def test_what_counts_is_the_path_not_the_folder():
    """A command that changed its folder first writes where it is then."""
    moved = shell("cd src && echo x > a.py").replace(folder=SCENE.root)
    assert answer(moved, scene("qa-implementation"))[0] == "deny"
    assert answer("cd /opt/other && echo x > a.py", scene("qa-implementation")) == ("allow", "")
