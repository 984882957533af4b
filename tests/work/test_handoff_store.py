"""Handoffs on disk."""

import os
import subprocess
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.handoff import Handoff, read_handoff_text
from limpet.work.handoff_store import (
    complete_text,
    handoff_agents,
    handoff_file,
    read_handoff,
    verify_handoff,
    write_handoff,
    write_handoff_file,
)

from ..conftest import SOURCE
from .writing import ACTOR, BOUNDS, content, events, put

HANDOFF = Handoff(
    from_agent="dev", from_phase="build", to="qa-implementation", status="complete", summary="Login works."
)


def test_a_handoff_is_written_and_read_back(workspace):
    """With the moment of writing; the audit log tells who handed over to whom."""
    written = write_handoff(workspace, HANDOFF, "Deep.", ACTOR, BOUNDS)
    assert (written.refused, written.reasons) == (False, ())
    found = read_handoff(workspace, "dev")
    assert found == written.handoff
    assert (found.timestamp, found.summary, found.second_layer) == ("2023-11-14T22:13:20Z", "Login works.", ("Deep.",))
    kind, data = events(workspace)[0]
    assert (kind, data["from_agent"], data["to"]) == ("handoff.written", "dev", "qa-implementation")


def test_a_refused_handoff_leaves_the_last_one(workspace):
    """Nothing is written, no event is made, every reason is given."""
    write_handoff(workspace, HANDOFF, "", ACTOR, BOUNDS)
    before = content(workspace, "handoffs/dev.md")
    refused = write_handoff(workspace, HANDOFF.replace(summary=" ", outputs=("gone.py",)), "", ACTOR, BOUNDS)
    assert [reason.what for reason in refused.reasons] == ["the summary is empty", "output gone.py does not exist"]
    assert content(workspace, "handoffs/dev.md") == before
    assert len(events(workspace)) == 1


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_a_handoff_that_somebody_wrote_keeps_its_bytes(workspace, ends, mark):
    """Only who, to whom, when and whether the score is backed are the program's to say; unknown fields stay."""
    own = "---\n# mine\nstatus: partial\nverified: true\nscore: 70\nsprint: {n: 3} # kept\n---\n## Resumo\n\nMetade.\n"
    known = HANDOFF.replace(from_task="S-1", status="", score=99, verified=False)
    text = complete_text((mark + own).replace("\n", ends), known, ACTOR.now, "draft.md")
    assert not write_handoff_file(workspace, "dev", text, ACTOR, BOUNDS).refused
    wanted = own.replace("verified: true", "verified: false").replace(
        "# kept\n",
        "# kept\nfrom_agent: dev\nfrom_task: S-1\nfrom_phase: build\nto: qa-implementation\n"
        "timestamp: 2023-11-14T22:13:20Z\n",
    )
    found = content(workspace, "handoffs/dev.md")
    assert sorted(found.split(ends)) == sorted((mark + wanted).replace("\n", ends).split(ends))
    assert read_handoff(workspace, "dev").summary.startswith("Metade.")
    assert complete_text(found, known, ACTOR.now, "f") == found


def test_a_text_without_frontmatter_gets_one(workspace):
    """The rest stays as it is; what nobody said is refused."""
    text = complete_text("## Summary\n\nx\n", HANDOFF.replace(status=""), ACTOR.now, "f")
    assert text.endswith("---\n\n## Summary\n\nx\n")
    assert [reason.what for reason in write_handoff_file(workspace, "dev", text, ACTOR, BOUNDS).reasons] == [
        "status is missing"
    ]


def test_secrets_do_not_reach_the_file(workspace):
    """Neither known forms nor the values of .env."""
    with open(os.path.join(workspace.root, ".env"), "w") as file:
        file.write("API_TOKEN=zebra-quartz-9041\n")
    summary = "Key AKIA7QZSFODNN7QX4MPL and zebra-quartz-9041."
    written = write_handoff(workspace, HANDOFF.replace(summary=summary), "zebra-quartz-9041", ACTOR, BOUNDS)
    assert "zebra" not in content(workspace, "handoffs/dev.md")
    assert written.handoff.summary == "Key [redacted:aws-key] and [redacted:known-secret]."


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "con", "a\0b", "x" * 81])
def test_a_hostile_name_is_no_agent(workspace, name):
    """Nothing is read and nothing made."""
    assert handoff_file(workspace, name) is None
    assert read_handoff(workspace, name) is None
    with pytest.raises(LimpetError, match="Invalid agent id"):
        write_handoff(workspace, HANDOFF.replace(from_agent=name), "", ACTOR, BOUNDS)
    assert os.listdir(workspace.home) == []


def test_a_handoff_of_a_newer_version_is_not_overwritten(workspace):
    """It is read as far as it is known."""
    put(workspace, "handoffs/dev.md", "---\nschema_version: 2\nto: qa\n---\n## Summary\n\nx\n")
    assert read_handoff(workspace, "dev").to == "qa"
    with pytest.raises(LimpetError, match="schema_version 2"):
        write_handoff(workspace, HANDOFF, "", ACTOR, BOUNDS)
    assert "schema_version: 2" in content(workspace, "handoffs/dev.md")


@pytest.mark.parametrize(
    ("raw", "replaced"), [(b"---\nto: [\n---\n", True), (b"\xff\xfe", False), (b"<<<<<<< HEAD\n", False)]
)
def test_a_broken_handoff_is_told(workspace, raw, replaced):
    """A new one takes the place of half-written YAML; a conflict, and what is no text, are left to a person."""
    put(workspace, "handoffs/dev.md", raw)
    with pytest.raises(LimpetError, match="handoffs/dev.md:"):
        read_handoff(workspace, "dev")
    if replaced:
        assert not write_handoff(workspace, HANDOFF, "", ACTOR, BOUNDS).refused
        return
    with pytest.raises(LimpetError, match="handoffs/dev.md:"):
        write_handoff(workspace, HANDOFF, "", ACTOR, BOUNDS)
    with open(workspace.path("handoffs", "dev.md"), "rb") as file:
        assert file.read() == raw


def test_agents_that_handed_over_are_listed(workspace):
    """Other files are none."""
    assert handoff_agents(workspace) == []
    for name in ("ux.md", "dev.md", "notes.txt", ".md"):
        put(workspace, f"handoffs/{name}", "---\nto: x\n---\n")
    assert handoff_agents(workspace) == ["dev", "ux"]
    with pytest.raises(LimpetError, match="No handoff from this agent"):
        verify_handoff(workspace, "brief", BOUNDS)


def test_twenty_processes_that_hand_over_at_once_lose_nothing(workspace):
    """Twenty agents to twenty files and twenty times the same one: each file is whole, each write has its event."""
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        "from limpet.ground.workspace import workspace_at\n"
        "from limpet.work.handoff import Handoff\n"
        "from limpet.work.handoff_store import Bounds\n"
        "from limpet.work.handoff_store import write_handoff\n"
        "from limpet.ground.event_log import Actor\n"
        f"workspace = workspace_at({workspace.root!r})\n"
        "actor = Actor(writer='test', now=0.0, retention={'events_bytes': 10**6, 'rotated_files': 1})\n"
        "bounds = Bounds(threshold=95.0, first_lines=150, second_lines=500)\n"
        "one = Handoff(from_phase='build', to='qa', status='complete', summary=(sys.argv[1] + '\\n') * 40)\n"
        "for agent in (sys.argv[1], 'shared'):\n"
        "    assert not write_handoff(workspace, one.replace(from_agent=agent), '', actor, bounds).refused"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, f"agent-{number}"]) for number in range(20)]
    assert [writer.wait() for writer in writers] == [0] * 20
    assert len(handoff_agents(workspace)) == 21
    for agent in handoff_agents(workspace):
        lines = read_handoff_text(content(workspace, f"handoffs/{agent}.md"), "f").summary.splitlines()
        assert (len(lines), len(set(lines))) == (40, 1)
    assert len(events(workspace)) == 40
