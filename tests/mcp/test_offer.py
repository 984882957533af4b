"""The tools, resources and prompts as a client gets them."""

import json
import os

import anyio
import pytest

from limpet.ground.own_name import path_name
from limpet.ground.text.tokens import estimate_tokens
from limpet.hosts.commands.upkeep import write_launcher

from ..finishing import do_step, filled
from ..knowledge import seed
from ..memories import Memories
from .conftest import VERSIONS

ALWAYS = ["search", "open", "remember", "rules", "why"]
AT_WORK = ["next", "finish", "back"]
WORKFLOW = """\
steps:
  - {agent: brief, state: discover, mode: planning, criteria: [It is asked for]}
  - {agent: dev, state: build, mode: build, criteria: [It works]}
"""
PATIENCE = 60


@pytest.fixture
def workflow(workspace):
    """A workflow of the project's own."""
    os.makedirs(workspace.path("workflows"))
    with open(workspace.path("workflows", "small.yaml"), "w", encoding="utf-8") as file:
        file.write(WORKFLOW)


@pytest.mark.parametrize("mode", VERSIONS)
def test_a_client_remembers_finds_and_opens(shared, mode):
    """In each version of the protocol; the answer is structured, and the same as its text."""
    client = shared(mode)
    assert client.tools() == ALWAYS
    kept = client.ask("remember", sentence="The staging database is reset every night.", kind="decision", tags=["db"])
    assert (kept["did"], kept["title"]) == ("written", "The staging database is reset every night.")
    (found,) = client.ask("search", words="staging database")["memories"]
    assert (found["id"], found["title"], found["type"]) == (kept["id"][-8:], kept["title"], "decision")
    opened = client.ask("open", ids=[found["id"], "none"])
    assert opened["memories"][0].startswith(f"{found['id']} The staging database is reset every night.")
    assert "by agent" in opened["memories"][0]
    assert opened["missing"] == ["No memory with this ID: none. Run: limpet memory list"]
    assert client.refusal("open", ids=["none"]) == opened["missing"][0]


def test_a_command_to_run_is_named_so_that_it_runs(workspace, client):
    """The client may have a shell, of which nothing is known."""
    write_launcher()
    assert client.refusal("open", ids=["none"]).endswith(f"Run: {path_name()} memory list")


def test_files_of_a_memory_are_named_from_the_projects_root(workspace, client):
    """Given or named in the sentence; a gotcha is graded."""
    client.ask(
        "remember", sentence="Amounts are cents.", files=[os.path.join(workspace.root, "src", "money.py"), "a.py"]
    )
    client.ask("remember", sentence="The linter reads conf/lint.toml first.", kind="gotcha", files=["conf/lint.toml"])
    entries = {entry.title: entry for entry in Memories(workspace).entries()}
    assert entries["Amounts are cents."].paths == ("src/money.py", "a.py")
    gotcha = entries["The linter reads conf/lint.toml first."]
    assert (gotcha.paths, gotcha.type) == (("conf/lint.toml",), "gotcha") and gotcha.severity


def test_rules_come_by_name_and_by_prompt(client, call_rules):
    """With why; both at once, and neither, is a mistake."""
    (rules,) = client.ask("rules", domain="tests")["rules"]
    assert (rules["domain"], rules["rules"]) == ("TESTS", ["Run the linter first."])
    called = {one["domain"]: one for one in client.ask("rules", prompt="a failing lint")["rules"]}
    assert called["TESTS"]["rules"] == ["Run the linter first."] and "lint" in called["TESTS"]["why"]
    assert "TESTS" not in {one["domain"] for one in client.ask("rules", prompt="hello")["rules"]}
    assert client.refusal("rules") == client.refusal("rules", prompt="a", domain="b") == "Give either prompt or domain"
    assert "limpet rules list" in client.refusal("rules", domain="nothing-like-it")


@pytest.fixture
def call_rules(workspace, run):
    """A domain that a keyword calls."""
    done = run("rules", "add", "tests", "--rule", "Run the linter first.", "--recall", "lint")
    assert done.returncode == 0, done.stderr


def test_why_explains_the_newest_prompt_or_that_of_the_named_conversation(workspace, client):
    from ..hook_host import Host

    assert client.refusal("why").startswith("No conversations yet")
    host = Host(workspace)
    for session in ("first", "second"):
        host.prompt("Go on.", session_id=session)
    assert client.ask("why")["session"] == "second"
    assert client.ask("why", conversation="first")["session"] == "first"


def test_definitions_cost_at_most_a_thousand_tokens_and_hints_say_what_a_tool_does(workspace, workflow, run, client):
    """As a client gets them, with those of the work, by the house's own cautious count."""
    assert run("work", "start", "small").returncode == 0
    listed = client.do("list_tools").tools
    assert [tool.name for tool in listed] == ALWAYS + AT_WORK
    told = json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in listed], separators=(",", ":"))
    assert estimate_tokens(told) <= 1000
    assert run("work", "start", "small").returncode == 0
    hints = {tool.name: tool.annotations for tool in client.do("list_tools").tools}
    assert [name for name, hint in hints.items() if hint.read_only_hint] == [
        "search", "open", "rules", "why", "next",
    ]  # fmt: skip
    destroys = {name: hint.destructive_hint for name, hint in hints.items() if not hint.read_only_hint}
    assert destroys == {"remember": False, "finish": False, "back": True}


def finish(workspace, client):
    """Finish the step as its agent does."""
    form = client.ask("finish")["form"]
    do_step(workspace.root, form)
    return client.ask("finish", document=filled(form))


def test_the_work_is_done_by_its_tools(workspace, workflow, run, client):
    """The step that is due, its form, what is missing, the next step, and back."""
    assert client.ask("next") == {"step": None}
    assert run("work", "start", "small").returncode == 0
    assert "You are now brief" in client.ask("next")["step"]
    lacking = client.ask("finish", document="nothing")
    assert not lacking["finished"] and lacking["missing"]
    done = finish(workspace, client)
    assert done["finished"] and "You are now dev" in done["step"]
    moved = client.ask("back", agent="brief", reason="It contradicts itself.")
    assert "You are now brief" in moved["step"] and "contradicts" in moved["step"]
    assert client.refusal("back") == "Give either agent or issue"


def test_what_only_a_person_may_do_is_refused_with_the_way_to_do_it(workspace, workflow, run, connect, client):
    """Without our hook in a terminal of theirs; with it, by a word that they type in the conversation."""
    from ..hook_host import Host

    assert run("work", "start", "small").returncode == 0
    finish(workspace, client)
    form = client.ask("finish")["form"]
    do_step(workspace.root, form)
    with open(os.path.join(workspace.root, "made.py"), "w", encoding="utf-8") as file:
        file.write("x = 1\n")
    said = client.refusal("finish", document=filled(form))
    assert said.startswith("Only a person can do this: Let dev pass though no check runs")
    assert said.endswith("In a terminal of their own they run: limpet work finish -")
    around = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_SESSION_ID": "abc"}
    known = {"session_id": "abc", "process": {"env": {**os.environ, **around}}}
    host = Host(workspace)
    host.prompt("Go on.", **known)
    with connect(around=around) as client:
        assert "shows the user a word" in client.refusal("finish", document=filled(form))
        shown = json.loads(host.prompt("What now?", **known).out)["systemMessage"]
        host.prompt(f"*yes {shown.partition('*yes ')[2].partition('.')[0]}", **known)
        assert client.ask("finish", document=filled(form))["finished"]


@pytest.mark.parametrize("mode", VERSIONS)
def test_tools_of_the_work_come_and_go_with_it(workspace, workflow, run, connect, mode):
    """The client is told, in the way of its version, also when a command began or ended the work."""
    told = []

    async def hear(message):
        told.append(getattr(message, "method", ""))

    async def wait(client, count):
        with anyio.fail_after(PATIENCE):
            while told.count("notifications/tools/list_changed") < count:
                await anyio.lowlevel.checkpoint()

    async def listen(client, change):
        async with client.listen(tools_list_changed=True) as stream:
            with anyio.fail_after(PATIENCE):
                await anyio.to_thread.run_sync(change)
                async for _ in stream:
                    return

    with connect(mode, message_handler=hear) as client:
        assert client.tools() == ALWAYS
        for count, (words, names) in enumerate(
            ((("work", "start", "small"), ALWAYS + AT_WORK), (("work", "stop", "--yes"), ALWAYS)), 1
        ):
            if mode == "legacy":
                assert run(*words).returncode == 0
                client.portal.call(wait, client, count)
            else:
                client.portal.call(listen, client.client, lambda words=words: run(*words))
            assert client.tools() == names


@pytest.mark.parametrize("mode", VERSIONS)
def test_resources_and_prompts_are_what_the_project_says_now(workspace, workflow, run, shared, mode):
    Memories(workspace).add("The export uses commas.")
    client = shared(mode)
    uris = [one.uri for one in client.do("list_resources").resources]
    assert uris == [f"limpet://{name}" for name in ("block", "memories", "knowledge", "pipeline")]
    read = lambda name: client.do("read_resource", f"limpet://{name}").contents[0].text  # noqa: E731
    assert read("block").startswith("<limpet-context")
    assert "The export uses commas. (decision)" in read("memories")
    assert "limpet work agent show detail --forms" in read("knowledge")
    assert json.loads(read("pipeline"))["workflow"] is None
    assert run("work", "start", "small").returncode == 0
    assert json.loads(read("pipeline"))["workflow"] == "small"
    prompts = {one.name: one for one in client.do("list_prompts").prompts}
    assert list(prompts) == ["start", "resume", "handoff"]
    assert [one.name for one in prompts["start"].arguments] == ["task"]
    ask = lambda name, **given: client.do("get_prompt", name, given).messages[0].content.text  # noqa: E731
    begun = ask("start", task="Add the export.")
    assert begun.startswith("<limpet-context") and "You are now brief" in begun and begun.endswith("Add the export.")
    assert "brief" in ask("resume")
    assert "# Handoff: brief to dev" in ask("handoff")


def test_what_does_not_exist_is_an_error_of_the_protocol(client):
    """And the server lives."""
    from mcp.shared.exceptions import MCPError

    for name, given in (
        ("call_tool", ("nothing", {})),
        ("read_resource", ("limpet://nothing",)),
        ("read_resource", ("file:///etc/passwd",)),
        ("get_prompt", ("nothing",)),
    ):
        with pytest.raises(MCPError) as raised:
            client.do(name, *given)
        assert raised.value.code == -32602
    with pytest.raises(MCPError, match="No workflow is active"):
        client.do("get_prompt", "handoff")
    assert client.tools() == ALWAYS


def test_the_knowledge_is_found_and_opened_like_a_memory(workspace, client):
    """One search for both, by the words of an entry; it is opened by its id, with the stories that it comes from."""
    seed(workspace)
    found = client.ask("search", words="email repository")["memories"]
    assert [(one["id"], one["type"]) for one in found] == [("PR-001", "principle"), ("PR-002", "principle")]
    opened = client.ask("open", ids=["PR-001", "AP-001", "PR-099"])
    assert opened["memories"][0].startswith("PR-001 Always validate email format in the service layer")
    assert "\n> Confidence 0.76; for developer, sw-engineer\n" in opened["memories"][0]
    assert opened["memories"][1].startswith("AP-001 avoid: Returning raw database errors")
    assert opened["missing"] == ["No entry with this ID: PR-099. Did you mean PR-002?"]
