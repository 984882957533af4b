"""Sample events of the hook, each in a process of its own, and the modules that they import."""

import json
import os
import subprocess
import sys
from unittest.mock import patch

from limpet.ground.workspace import workspace_at
from limpet.operations.mirror import refresh_mirror
from limpet.registry.symbols.index import scan_symbols

from .conftest import SOURCE, trusted
from .conversation import Conversation, age, write, write_rules
from .memories import Memories, fill
from .places import private_path

# Ways of the hook, and how often a module of them is needed: see ``ground/bundling``.
PROMPT, TOOL, EVERY, SOME = "hook", "tool", "every", "some"
# A call that may have changed anything, in a git repository; and a plain one after it.
IN_REPOSITORY, LOOKED_AT = "in a repository", "in a repository, looked at"
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c")
FOLDERS = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
# Played without the bundle, and as one that is not to be made, so that no event starts a process for it. Told are the
# modules that were there before the bundle is read, and those that came after.
REPORT = """
import sys
bare = set(sys.modules)
sys.path.append(sys.argv[1])
from limpet import hook
from limpet.ground import bundle
bundle.is_due = lambda: False
def use_bundle(way):
    global before
    before = set(sys.modules)
bundle.use_bundle = use_bundle
def leave(answer):
    sys.stdout.write(answer)
    after = set(sys.modules)
    for names in (before - bare, after - before):
        sys.stderr.write(' '.join(name for name in names if name not in sys.builtin_module_names) + '\\n')
hook._leave = leave
hook.main(sys.argv[2:])
"""
# What a text for a shell may hold: each module of ``guard/shell`` is asked about some of it.
COMMANDS = r"""git status; for x in a b; do python3 -c "import os; os.system('ls')" "$x"; done > out.txt
f() { printf 'ls' | sh; }; f; cat <<END | bash
echo ${HOME:-x} | xargs -n1 echo
END
node -e "require('child_process').exec('ls')"; bash -c 'env A=1 ls {a,b} $(date)'; eval "ls"; npm ci; rm -f a.log
"""
PLAIN = "def double(number):\n    return 2 * number\n"
EXISTING = 'def read_prices(path, currency):\n    """Read the prices of a file."""\n    return open(path)\n'
MAYBE_SECRET = "def read(token):\n    return token\n"


def make_talk(root):
    """A conversation under way in a project with rules, settings, session and transcript, all of it compiled."""
    os.makedirs(os.path.join(root, ".limpet"))
    workspace = workspace_at(root)
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nAPI_RECALL=endpoint, =c++, 測試\n"
        "GLOBAL_EXCLUDE=chat\nAGENT_DEV_STATE=active\nAPI_PATHS=api/**\n",
        context="FRESH_RULE_0=x\n",
        api="API_RULE_0=b\n",
        agent_dev="DEV_RULE_0=d\n",
        **{"global": "GLOBAL_RULE_0=a\n"},
    )
    write(workspace.path("constitution.md"), "### XVII. Ours (WARN)\n- MUST x.\n")
    write(workspace.path("config.yaml"), "rules: {devmode: true}\n")
    trusted(root)
    write(private_path(workspace, "session.yaml"), "current_agent: dev\ntask: {id: '1', title: t}\n")
    for name in ("a.py", "b.py"):
        write(os.path.join(workspace.root, name), "a = 1\n")
    age(workspace.home)
    refresh_mirror(workspace)
    talk = Conversation(workspace)
    talk.use(50_000)
    talk.start()
    talk.prompt("*agent dev the endpoint")
    return talk


class Played:
    """What an event imported from the bundle's reading on (``ours`` and of the ``library``), what was there before
    (``early``), and the answer."""

    def __init__(self, done):
        assert done.stderr.count(b"\n") == 2, done.stderr
        self.early, names = (set(line.split()) for line in done.stderr.decode().splitlines())
        self.library = {name for name in self.early | names if not name.startswith("limpet")}
        self.ours = names - self.library
        self.answer = done.stdout


def play(talk, event, **payload):
    """An event of Claude Code."""
    root = talk.workspace.root
    given = {"session_id": "one", "cwd": root, "transcript_path": talk.transcript, **payload}
    command = [sys.executable, "-I", "-S", "-c", REPORT, SOURCE, "claude-code", event]
    return Played(subprocess.run(command, input=json.dumps(given).encode(), capture_output=True, cwd=root))


def prompt(talk, text, prompt_id="x", **payload):
    """A prompt."""
    return play(talk, "UserPromptSubmit", prompt=text, prompt_id=prompt_id, **payload)


def remembering(talk, bracket):
    """A prompt that finds a memory, in a conversation whose window is so full."""
    path = fill(talk.workspace, bracket, name=bracket)
    talk.send("session_start", source="fork", session=bracket, transcript=path)
    return prompt(talk, "How is the endpoint versioned?", bracket, session_id=bracket, transcript_path=path)


def remember(talk):
    """Memories for the samples that find some: a decision, and what a person wants of a practice."""
    memories = Memories(talk.workspace)
    memories.add("The endpoint is versioned by date")
    memories.add("Always run the linter before a commit", type="user_correction")


def naming(talk):
    """A tool call that touches what a memory names."""
    Memories(talk.workspace).add("named_once of b.py", paths=["b.py"])
    return called(talk, "Read", file_path="b.py")


def existing(talk):
    """A call that writes what the scan of the project knows."""
    write(os.path.join(talk.workspace.root, "numbers.py"), EXISTING)
    scan_symbols(talk.workspace)
    return called(talk, "Write", file_path=os.path.join(talk.workspace.root, "other.py"), content=EXISTING)


def in_repository(talk):
    """The call of a turn for which the repository is looked at."""
    root = talk.workspace.root
    if not os.path.exists(os.path.join(root, ".git")):
        for words in (("init", "-q"), ("add", "-A"), (*IDENTITY, "commit", "-qm", "x")):
            subprocess.run(("git", *words), cwd=root, check=True)
    return called(talk, "Bash", command="npm test")


def called(talk, tool, **given):
    """A tool call."""
    return play(talk, "PreToolUse", tool_name=tool, tool_input=given, tool_use_id=f"{tool} {sorted(given.items())}")


# Way of the hook -> name -> what plays a sample; the first of each way is its plainest event.
SAMPLES = {
    PROMPT: {
        "prompt": lambda talk: prompt(talk, "the endpoint again"),
        "star-command": lambda talk: prompt(talk, "*limpet session *work mode build"),
        "command that gives rights": lambda talk: prompt(talk, "*agent qa", session_id="rights"),
        "beyond ASCII": lambda talk: prompt(talk, "測試 o endpoint, ação"),
        "start": lambda talk: play(talk, "SessionStart", source="resume"),
        "compaction": lambda talk: play(talk, "PostCompact", trigger="auto"),
        "memory, MODERATE": lambda talk: remember(talk) or remembering(talk, "MODERATE"),
        "memory, DEPLETED": lambda talk: remembering(talk, "DEPLETED"),
        "memories that open": lambda talk: prompt(talk, "the endpoint", "first", session_id="new"),
    },
    TOOL: {
        "search": lambda talk: called(talk, "Grep", pattern="x"),
        "read": lambda talk: called(talk, "Read", file_path="a.py"),
        "command": lambda talk: called(talk, "Bash", command="git status --short"),
        "edit": lambda talk: called(talk, "Edit", file_path="a.py", old_string="a = 1", new_string="a = 2"),
        "plain text": lambda talk: called(talk, "Write", file_path="a.py", content=PLAIN),
        "maybe a secret": lambda talk: called(talk, "Write", file_path="a.py", content=MAYBE_SECRET),
        "parsed command": lambda talk: called(talk, "Bash", command="cd src && ls | wc -l"),
        "commands": lambda talk: called(talk, "Bash", command=COMMANDS),
        "what a memory names": naming,
        "commit": lambda talk: called(talk, "Bash", command="git commit -m x"),
        "what exists": existing,
        "tests": lambda talk: called(talk, "Bash", command="pytest -q"),
        "PowerShell": lambda talk: called(talk, "PowerShell", command="ls; echo x"),
        # From here on the project is a repository.
        IN_REPOSITORY: in_repository,
        LOOKED_AT: lambda talk: called(talk, "Bash", command="ls -la"),
    },
}


def play_all(folder):
    """Every sample, by its way and name, in a project below a folder, and with a user's folders that are there too."""
    with patch.dict(os.environ, {name: os.path.join(folder, name) for name in FOLDERS}):
        for name in ("LIMPET_STATE", "LIMPET_DATA", "LIMPET_CACHE"):
            os.environ.pop(name, None)
        talk = make_talk(os.path.join(folder, "project"))
        return {way: {name: sample(talk) for name, sample in each.items()} for way, each in SAMPLES.items()}


def module_lists(played):
    """What ``framework/prompt_path.json`` holds."""
    return {way: _lists(list(each.values())) for way, each in played.items()}


def _lists(events):
    every = events[0].ours
    return {EVERY: sorted(every), SOME: sorted(set().union(*(event.ours for event in events)) - every)}
