"""The permission modes explore, ask and auto; destructive acts; commands that cannot be understood."""

import pytest

from limpet.guard.call import ToolCall, strictest

from ..scenes import SCENE, answer, read, scene, shell, verdicts, write

EXPLORE, ASK, AUTO = (SCENE.replace(permission=name) for name in ("explore", "ask", "auto"))
FINE = ("allow", "")


SEVERAL_EDITS = write("src/a.py").replace(tool="MultiEdit", whole=False, edits=(("a", "b", False), ("c", "d", True)))


@pytest.mark.parametrize("where", [EXPLORE, ASK])
def test_the_known_bypasses_are_asked(where):
    """Eight that SYNAPSE's guard took for reading; the ninth is several edits in one call."""
    texts = (
        *("cat x > /etc/passwd", "ls; rm -rf /srv/harbour/src", "find . -delete", "find . -exec rm {} +"),
        *("git branch -D main", "env rm -rf x", "git log && git push --force", "gh api -X DELETE repos/a/b"),
    )
    assert {text: answer(text, where)[0] for text in texts} == dict.fromkeys(texts, "ask")
    assert answer(SEVERAL_EDITS, EXPLORE) == ("ask", "permission.explore")


@pytest.mark.parametrize("text", [
    "git status", "ls -la src", "git log --oneline | head -5", "cat a.py && wc -l b.py", "grep -rn x . 2>/dev/null",
    "pip show click", "limpet guard explain mode.scope", "limpet memory list", "npm ls", "docker ps", "git branch -a",
    "git remote -v", "git stash list", "git config --get user.name", "python3 --version", "awk -F: '{ print $1 }' a",
    "bash -c 'ls src'", "pwd",
])  # fmt: skip
def test_explore_reads_without_a_question(text):
    """What is known as reading."""
    assert answer(text, EXPLORE) == FINE


@pytest.mark.parametrize(
    ("text", "explore", "ask"),
    [
        *((text, "ask", "allow") for text in ("pytest -q", "npm run build", "curl https://example.com", "./run.sh")),
        *((text, "ask", "allow") for text in ("cargo build", "./build/mvn test", "mkdir -p build/x", "go build")),
        *((text, "ask", "allow") for text in ("ls | tee app.log", "cp a.py dist/a.py", "echo x > build/x")),
        *((text, "ask", "ask") for text in ("npm install left-pad", "cargo fmt", "cargo build > a.txt", "touch a")),
        *((text, "ask", "ask") for text in ("echo x --check > a.txt", "git commit -m x", "git push", "mkdir -p src/x")),
        ("ls > /tmp/limpet-list", "allow", "allow"),
    ],
)
def test_explore_asks_about_what_it_does_not_know_as_reading_and_ask_confirms_changes(text, explore, ask):
    """Files, history and remotes change; what builds make, they make again. Auto and no mode leave both."""
    assert answer(text, EXPLORE) == (explore, "permission.explore" if explore == "ask" else "")
    assert answer(text, ASK) == (ask, "permission.ask" if ask == "ask" else "")
    assert answer(text, AUTO) == answer(text) == FINE


def test_ask_lets_a_check_of_the_format_run():
    """It changes nothing."""
    assert answer("cargo fmt --all --check", ASK) == FINE


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


@pytest.mark.parametrize("text", [
    "rm -rf node_modules dist", "rm -rf /tmp/x", "rm -rf build/ && make", "rm -f a.db", 'rm -rf "$(mktemp -d)"',
    "find . -name '*.pyc' -delete", "find . -name __pycache__ -exec rm -rf {} +",
])  # fmt: skip
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


@pytest.mark.parametrize("text", [
    "rm -rf src", "rm -rf app/.git", "rm .git/index.lock", "git clean -fdx", "git reset --hard", "rm -rf /tmp/x",
    "find . -name '*.log' -delete", "dd if=x of=disk.img", "mkfs.ext4 disk.img", "echo 'rm -rf /'",
    "rm -rf node_modules", "echo x > /dev/null", "cat x > /dev/tty", "rm -rf .github", "mv .git /tmp/x",
])  # fmt: skip
def test_what_somebody_may_want_is_the_hosts_matter_without_an_agent(text):
    """The list is short."""
    assert answer(text) == FINE


def test_what_cannot_be_understood_is_asked():
    """In explore and ask; else where a word names private memory or what the agent may not do (``guard.unclear``)."""
    found = verdicts('eval "$X"', ASK)
    assert [(each.answer, each.rule) for each in found] == [("ask", "unclear")]
    assert "cannot be understood (" in found[0].reason
    assert answer('eval "$X push"', scene("dev")) == ("ask", "unclear")
    assert answer('eval "$X push"', scene("devops")) == FINE
    assert answer('eval "$X push"') == FINE
    assert answer('eval "$X"', scene("dev")) == FINE
    assert answer('eval "$X/.limpet/memories/dev/a.md"') == ("ask", "unclear")
    assert answer('eval "$X"', ASK.replace(settings={"unclear": "deny"})) == ("deny", "unclear")


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


PUSH = "authority.push"
PLAINLY = ("git push", "cd src && git push origin main", "echo $(git push)", "git -C ../other push", "env A=1 git push")


@pytest.mark.parametrize("text", PLAINLY)
def test_dev_may_not_push(text):
    """However the shell says it."""
    assert answer(text, scene("dev")) == ("deny", PUSH)


@pytest.mark.parametrize(
    "text", ["git tag v3", "git tag -a v3 -m x", "git tag -s v1", "git update-ref refs/tags/v1 HEAD"]
)
def test_a_tag_is_a_release(text):
    assert answer(text, scene("dev")) == ("deny", "authority.release")
    assert answer(text, scene("devops")) == ("allow", "authority.release")


@pytest.mark.parametrize(
    "text", ["git tag", "git tag -l 'v*'", "git tag --contains abc", "git tag -n", "git tag -v v1"]
)
def test_to_look_at_tags_is_none(text):
    assert answer(text, scene("dev")) == ("allow", "")


def test_what_is_an_earlier_steps_is_sent_back():
    """A defect that QA found goes to who built it."""
    steps = {"workflow": "quick", "earlier": ("brief", "dev"), "following": ("devops",)}
    denied = strictest(verdicts("sed -i s/a/b/ src/app.py", scene("qa-implementation", **steps)))
    assert denied.reason == (
        "qa-implementation may not write code (src/app.py). "
        "Send it back with what is to be mended: limpet work back dev --reason WHY."
    )


def test_dev_may_not_push_and_is_told_whom_to_hand_it_to():
    """By the end of the step only where the next one is theirs; a conversation without an agent is the person's."""
    steps = {"": (), "quick": ("devops",), "big": ("qa-implementation", "devops"), "solo": ("qa-implementation",)}
    found = [
        strictest(verdicts("git push", scene("dev", workflow=name, following=after))) for name, after in steps.items()
    ]
    plain = found[0]
    assert [each.reason.removeprefix("dev may not push. ") for each in found] == [
        "Hand it to @devops, or have the user do it.",
        "Hand it to @devops: limpet work finish -, or have the user do it.",
        "It waits for the step of devops; note it in your handoff, or have the user do it.",
        "No step of solo that follows has @devops: have the user do it.",
    ]
    assert plain.agent == "devops"
    assert answer("git push", scene("devops")) == ("allow", PUSH)
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


def test_the_settings_grant_an_act_to_others_or_end_the_rule():
    """An agent of the project's own pushes only where they say so; a misspelt kind stops no call."""
    granted = {"authority": {"push": ["devops", "release-manager"]}}
    assert answer("git push", scene("release-manager")) == ("deny", PUSH)
    assert answer("git push", scene("release-manager", settings=granted)) == ("allow", PUSH)
    assert answer("echo x > a.txt", scene("dev", settings={"authority": {"write": ["ux"]}})) == ("allow", "")
    assert answer("git push", scene("dev", settings={"rules": {"authority": False}})) == ("allow", "")


@pytest.mark.parametrize("agent", ["qa-implementation", "architect", "tasks", "devops", "orchestrator"])
def test_code_is_written_by_dev(agent):
    """The others' rules say so; their documents are theirs."""
    assert answer(write("src/orders.py"), scene(agent)) == ("deny", "authority.code")
    assert answer(write("docs/orders.md"), scene(agent)) == ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        *("sed -i s/a/b/ src/a.py", "echo x > src/a.py", "cp /etc/hosts src/a.py", "tee src/a.py", "black src/"),
        *("ruff check --fix src", "ruff format src/a.py", "eslint --fix src", "gofmt -w pkg", "mv src/a.py b"),
        *("prettier --write src/a.ts", "rm src/a.py", "git rm src/a.py", "git mv src/a.py src/b.py"),
        *("patch src/a.py x", "cd src && black a.py", "clang-format -i src/a.c"),
    ],
)
def test_what_changes_code_at_a_named_place_writes_it(text):
    """The path counts, not the tool; a folder is named too. The whole project is judged by what changed."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.code")
    assert answer(text, scene("dev")) == answer(text) == ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        *("pytest -q", "npm ci", "pytest > report.txt", "npm run build", "git stash", "make > build/log"),
        *("black --check src", "ruff check src", "eslint src", "prettier --write docs/a.md", "black .", "git apply x"),
    ],
)
def test_qa_runs_what_it_needs(text):
    """What tools make on their way is no code; nor are checks, documents, and the project as a whole."""
    assert answer(text, scene("qa-implementation")) == ("allow", "")


@pytest.mark.parametrize(
    "path",
    [
        *("Dockerfile", "docker-compose.yml", "compose.prod.yaml", "Makefile", "ci/build.sh", "scripts/deploy.sh"),
        *("pyproject.toml", "package.json", "web/package.json", ".env.example", ".github/dependabot.yml"),
        *("poetry.lock", "Dockerfile.prod", ".dockerignore", "scripts/ci/release.py", "go.mod", "build.gradle.kts"),
        ".pre-commit-config.yaml",
    ],
)
def test_build_and_packaging_are_written_by_dev_and_devops(path):
    """And by agents of the project's own, as code is."""
    for agent in ("dev", "devops", "api-builder"):
        assert answer(write(path, "x"), scene(agent)) == ("allow", "")
    assert answer(write(path, "x"), scene("qa-implementation"))[0] == "deny"


def test_each_kind_of_file_has_its_owners():
    """Code an agent of the project's own writes too, unless the settings name who does."""
    named = {"authority": {"code": ["dev"]}}
    assert answer(write("src/a.py"), scene("api-builder")) == ("allow", "")
    assert answer(write("src/a.py"), scene("api-builder", settings=named)) == ("deny", "authority.code")
    assert answer(write(".github/workflows/ci.yml"), scene("devops")) == ("allow", "")
    assert answer(write(".github/workflows/ci.yml"), scene("ux")) == ("deny", "authority.infrastructure")
    assert answer(write("tokens/colors.json"), scene("ux")) == ("allow", "")
    assert answer(write("tokens/colors.json"), scene("architect")) == ("deny", "authority.design")


def test_a_tool_is_known_by_its_name_its_paths_or_the_settings():
    """A hint that it only reads does not whitewash an MCP tool."""
    tool = ToolCall(kind="tool", tool="mcp__github__push_files", hints={"readOnlyHint": True})
    other = tool.replace(tool="mcp__forge__send")
    assert answer(tool, scene("dev")) == ("deny", PUSH)
    assert answer(other, scene("dev")) == ("allow", "")
    assert answer(other, scene("dev", settings={"tools": {"mcp__forge__*": "push"}})) == ("deny", PUSH)
    tool = ToolCall(kind="tool", tool="mcp__fs__write_file", paths=(f"{SCENE.root}/src/a.py",))
    known = {"tools": {"mcp__fs__write*": "write"}}
    assert answer(tool, scene("qa-implementation", settings=known)) == ("deny", "authority.code")
    assert answer(tool.replace(paths=()), scene("qa-implementation", settings=known)) == ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        *("git commit -m x", "git add . && git -C src commit --amend", "bash -c 'git commit -am x'"),
        *("git revert HEAD", "git cherry-pick x", "git am x.patch"),
    ],
)
def test_qa_does_not_commit(text):
    """It advises (ADR-001 SYNAPSE, authority boundaries); devops also takes over what dev wrote."""
    assert answer(text, scene("qa-implementation")) == ("deny", "authority.commit")
    assert answer(text, scene("qa-planning", permission="auto")) == ("deny", "authority.commit")
    assert answer(text, scene("devops")) == ("allow", "")


def test_every_other_agent_commits():
    """The project's own ones too."""
    assert [answer("git commit -m x", scene(name))[1] for name in ("dev", "devops", "api-builder")] == [""] * 3


def test_what_counts_is_the_path_not_the_folder():
    """Of a command that changed its folder too; authority ends with the project, what leaves it is the mode's."""
    assert answer(write("a.py", folder="/opt/other"), scene("qa-implementation")) == ("allow", "")
    moved = shell("cd src && echo x > a.py").replace(folder=SCENE.root)
    assert answer(moved, scene("qa-implementation"))[0] == "deny"
    assert answer("cd /opt/other && echo x > a.py", scene("qa-implementation")) == ("allow", "")


DENIED, SWITCHING_FINE = ("deny", "authority.agent"), ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        "limpet work agent activate devops",
        "limpet work agent activate --session s1 devops && git status",
        "python -m limpet work agent activate @architect",
        "limpet work agent deactivate",
        "bash -c 'limpet work agent activate devops'",
    ],
)
@pytest.mark.parametrize("permission", ["", "auto"])
def test_an_agent_does_not_take_anothers_place(text, permission):
    """It would have that one's authority."""
    assert answer(text, scene("dev", permission=permission)) == DENIED


@pytest.mark.parametrize(
    ("text", "where"),
    [
        *((f"limpet work agent {text}", scene("dev")) for text in ("activate dev", "list", "show devops")),
        *(("limpet work agent activate devops", where) for where in (SCENE, scene("orchestrator"))),
    ],
)
def test_its_own_place_and_looking_are_its_own_and_who_routes_may_choose(text, where):
    """The orchestrator, and a conversation without an agent."""
    assert answer(text, where) == SWITCHING_FINE
