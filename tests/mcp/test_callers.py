"""Who calls, about which project: decisions 22 and 53 by the server's door."""

import json
import os
from pathlib import Path

import pytest

from limpet.ground.processes import read_process
from limpet.ground.trust.giving import revoke_trust
from limpet.work.conversation import Private, write_private
from limpet.work.serving import NEW_WINDOW, Served, begin_serving
from limpet.work.session import new_session, write_session

from ..hook_host import Host
from ..memories import Memories
from ..project_session import update_project

SHARED, OWN, OTHERS = "The export uses commas.", "The export is slow.", "The export is reviewed."
SINCE = "2026-11-26T12:00:00Z"


@pytest.fixture
def memories(workspace):
    """A shared memory, one of dev's and one of the architect's; dev is the project's active agent."""
    update_project(workspace, {"current_agent": "dev"})
    found = Memories(workspace)
    found.add(SHARED)
    found.add(OWN, owner="dev")
    found.add(OTHERS, owner="architect")
    return found


@pytest.fixture
def own(workspace):
    """The id of a conversation of dev's."""
    write_session(workspace, {**new_session("of-dev", "claude-code", workspace.root, 0.0), "active_agent": "dev"})
    return "of-dev"


def titles(client, **named):
    """What a search finds."""
    return {one["title"] for one in client.ask("search", words="export", **named)["memories"]}


def test_shared_memories_alone_are_for_a_client_that_names_no_conversation(memories, own, connect):
    """Neither by search nor by id nor in the index; a conversation that the project does not know counts for nothing,
    and inside a client without a name for the conversation it is the same."""
    key = memories.cards(type="decision")
    private = {card.title: card.id[-8:] for card in key}[OWN]
    with connect(around={"CODEX_SANDBOX": "seatbelt"}) as client:
        for named in ({}, {"conversation": "nobody-knows"}):
            assert titles(client, **named) == {SHARED}
            assert "No memory with this ID" in client.refusal("open", ids=[private], **named)
        assert OWN not in client.do("read_resource", "limpet://memories").contents[0].text
        kept = client.ask("remember", sentence="Exports are nightly.")
        assert titles(client, conversation=own) == {SHARED, OWN, "Exports are nightly."}
        assert OWN in client.ask("open", ids=[private], conversation=own)["memories"][0]
    (entry,) = [one for one in memories.entries() if one.id == kept["id"]]
    assert (entry.agent, entry.source, entry.storage) == ("dev", "agent:dev", "daily")


def test_the_conversation_around_the_server_counts_and_one_that_the_client_names_goes_before(memories, own, connect):
    with connect(around={"CLAUDE_CODE_SESSION_ID": own}) as client:
        assert titles(client) == {SHARED, OWN}
        assert titles(client, conversation="another") == {SHARED}


def test_nothing_is_kept_of_a_private_conversation(workspace, memories, own, connect):
    """Named by the environment or by the client; while it is paused nothing is found either."""
    write_private(own, Private(since=SINCE, until=SINCE))
    write_private("paused", Private(since=SINCE))
    said = "Part of this conversation is private, so agents keep nothing of it. The user may add it."
    with connect(around={"CLAUDE_CODE_SESSION_ID": own}) as client:
        assert client.refusal("remember", sentence="Secret plans.") == said
        assert titles(client) == {SHARED, OWN}
        assert client.refusal("remember", conversation="paused", sentence="Secret plans.") == said
        assert "paused for this conversation" in client.refusal("search", conversation="paused", words="export")
    assert not [one for one in memories.entries() if "Secret" in one.title]


@pytest.mark.parametrize("named", ["", "another"])
def test_a_private_conversation_of_the_client_above_counts(workspace, memories, connect, named):
    """One that began after the server, whatever the request or the environment names; the client is this process."""
    with connect(around={"CODEX_THREAD_ID": "child"}) as client:
        begin_serving(Served("hidden", "codex-cli", os.getpid(), read_process().started, 0.0), NEW_WINDOW)
        write_private("hidden", Private(since=SINCE, until=SINCE))
        refused = client.refusal("remember", conversation=named, sentence="Secret plans.")
        assert "Part of this conversation is private" in refused
        assert "Part of this conversation is private" in client.refusal("back", conversation=named, agent="dev")
    assert not [one for one in memories.entries() if "Secret" in one.title]


@pytest.mark.parametrize("server", ["mcp__limpet__", "mcp__plugin_limpet_limpet__"])
@pytest.mark.parametrize("tool", ["remember", "finish", "back"])
def test_the_hook_denies_it_where_the_server_does_not_know_the_conversation(workspace, server, tool):
    """It knows the conversation of the call; other tools, and other conversations, are let through."""
    write_private("s", Private(since=SINCE))
    host = Host(workspace)

    def answer(name, session="s"):
        call = {"tool_name": name, "tool_input": {"sentence": "Secret plans."}, "tool_use_id": "t"}
        out = host.send("PreToolUse", session_id=session, **call).out
        return json.loads(out)["hookSpecificOutput"] if out else {}

    denied = answer(server + tool)
    assert denied["permissionDecision"] == "deny" and "keep nothing of it" in denied["permissionDecisionReason"]
    assert answer(f"{server}search") == answer(server + tool, session="other") == {}


def test_an_untrusted_project_is_refused_with_what_the_user_runs(workspace, client):
    """By every tool, resource and prompt; the list is there, without the tools of its work."""
    from mcp.shared.exceptions import MCPError

    assert revoke_trust(workspace)
    calls = {"search": {"words": "x"}, "open": {"ids": ["x"]}, "remember": {"sentence": "x"}, "rules": {"prompt": "x"}}
    for tool in client.tools():
        assert "To review and trust it, run: limpet trust" in client.refusal(tool, **calls.get(tool, {}))
    with pytest.raises(MCPError, match="not trusted"):
        client.do("read_resource", "limpet://block")
    with pytest.raises(MCPError, match="not trusted"):
        client.do("get_prompt", "start")


def test_the_project_is_the_roots_then_the_working_folders(memories, connect, tmp_path):
    """In the protocol that has roots; a root without a project, and one elsewhere, count for nothing."""
    from mcp import types

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    roots = [elsewhere.as_uri(), "file://elsewhere/share", Path(memories.shared).parent.as_uri()]

    async def name_roots(context):
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in roots])

    with connect("legacy", cwd=elsewhere, list_roots_callback=name_roots) as client:
        assert titles(client) == {SHARED}
        roots.pop()
        assert "No .limpet folder here or above" in client.refusal("search", words="x")


def test_a_given_folder_is_the_project_and_without_one_the_way_is_said(workspace, memories, connect, tmp_path):
    """It is the user's word on which project is meant."""
    with connect("legacy", "--project", workspace.root, cwd=tmp_path) as client:
        assert titles(client) == {SHARED}
    with connect(cwd=tmp_path) as client:
        assert "Run: limpet init" in client.refusal("search", words="x")
        assert client.tools()[0] == "search"


def test_a_private_memory_is_in_no_text_either(memories, client):
    """What a prompt gets holds none of them."""
    texts = [client.do("read_resource", one.uri).contents[0].text for one in client.do("list_resources").resources]
    texts += [client.do("get_prompt", name).messages[0].content.text for name in ("start", "resume")]
    assert not [text for text in texts if OWN in text or OTHERS in text]


def test_a_link_out_of_the_project_is_none(client, workspace):
    """The error is the house's."""
    os.rename(workspace.home, f"{workspace.root}-home")
    os.symlink(f"{workspace.root}-home", workspace.home)
    assert "Symlink out of the project" in client.refusal("search", words="x")
