"""``limpet report`` by its door: what may be shared, and nothing else."""

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
MARKUP = "<script>alert(1)</script> & <b>"
ID = "5f0c2a1b-1111-4000-8000-000000000001"


@pytest.fixture
def store(workspace):
    """A repository with rules of which one file is not tracked; memories of the team, of the person, of an agent."""
    configure(workspace)
    write_rules(workspace, MANIFEST + "DRAFT_RECALL=draft\n", **RULES, draft="DRAFT_RULE_0=Not for others.\n")
    subprocess.run(["git", "init", "-q"], cwd=workspace.root, check=True)
    tracked = (".limpet/rules/manifest", ".limpet/rules/api", ".limpet/rules/global")
    subprocess.run(["git", "add", "-f", *tracked], cwd=workspace.root, check=True)
    memories = Memories(workspace)
    Host(workspace).prompt("the endpoint", session_id=ID)
    shared = memories.add(f"The team knows {MARKUP}", body=f"The token is {SECRET}")
    memories.library.share(shared, "Ada")
    memories.tell_index()
    private = memories.add(f"Mine alone: {SECRET}", body="Nobody else's.")
    return {"shared": shared, "private": private, "agent": memories.add("Of dev alone", owner="dev")}


def page(workspace, name="limpet-report.html"):
    return Path(workspace.root, name).read_text(encoding="utf-8")


def test_what_the_repository_has_is_in_it(store, workspace, run):
    """Tracked rules with what calls them, the team's memories, counts; nothing private, no secret."""
    done = run("report")
    assert done.returncode == 0 and "2 rules, 1 memory of the team" in done.stdout
    text = page(workspace)
    assert "Version it." in text and "endpoint, route" in text and "The team knows" in text
    for absent in ("Mine alone", "Of dev alone", "Not for others", SECRET, "the endpoint<"):
        assert absent not in text
    counts = dict(re.findall(r"<dt>(.*?)</dt><dd>([\d,]+)</dd>", text))
    assert (counts["rules tracked"], counts["memories of the team"], counts["prompts"]) == ("2", "1", "1")


def test_it_is_one_page_of_texts_that_loads_nothing(store, workspace, run):
    """No script, no address, no style of another place; what is written in a memory stays text."""
    run("report", "--include", store["private"], "--yes")
    found = []

    class Reader(HTMLParser):
        """Notes each element with its attributes."""

        def handle_starttag(self, tag, attrs):
            found.append((tag, dict(attrs)))

    Reader().feed(page(workspace))
    assert not {tag for tag, _ in found} & {"script", "link", "img", "iframe", "object", "form", "a", "base"}
    names = set()
    for _, attributes in found:
        names |= set(attributes)
    assert not names & {"src", "href", "style", "onload", "onclick"}
    assert "url(" not in page(workspace) and "@import" not in page(workspace)
    assert "default-src 'none'" in page(workspace)
    assert "&lt;script&gt;" in page(workspace)


def test_what_is_private_is_listed_and_asked_for_before_it_is_written(store, workspace, run, at_terminal):
    """A no writes nothing; a script says --yes; secrets are out of both."""
    alone = run("report", "--include", store["private"])
    assert alone.returncode == 1 and "Mine alone: [redacted" in alone.stderr and "--yes" in alone.stderr
    assert not Path(workspace.root, "limpet-report.html").exists()
    refused = at_terminal("report", "--include", store["private"], typed="n\n")
    assert refused.returncode == 1 and not Path(workspace.root, "limpet-report.html").exists()
    assert at_terminal("report", "--include", store["private"], typed="y\n").returncode == 0
    assert "Private, put in by name" in page(workspace) and SECRET not in page(workspace)
    done = run("report", "--include", store["private"], "--yes", "--json")
    assert json.loads(done.stdout)["private"] == ["Mine alone: [redacted:github-token]"]
    assert page(workspace).count("Mine alone") == 1


def test_an_agent_cannot_put_in_what_it_cannot_read(store, workspace, call):
    """Another agent's own."""
    done = call("report", "--include", store["agent"], "--yes", agent="qa")
    assert done.returncode == 1 and "Of dev alone" not in done.stdout + done.stderr
    assert not Path(workspace.root, "limpet-report.html").exists()


def test_a_file_of_yours_is_not_written_over(store, workspace, run):
    """A report is; what is no memory is named."""
    write(str(Path(workspace.root, "notes.html")), "mine")
    done = run("report", "--out", "notes.html")
    assert done.returncode == 1 and "--out FILE" in done.stderr and page(workspace, "notes.html") == "mine"
    assert [run("report", "--out", "a.html").returncode for _ in range(2)] == [0, 0]
    assert run("report", "--include", "nothing").returncode == 1


def test_without_rules_and_memories_it_says_how_to_get_some(workspace, run):
    """Also where there is no repository."""
    run("report")
    assert "limpet memory share ID" in page(workspace) and "No rules are in files that git tracks" in page(workspace)


def test_looking_at_memories_for_it_is_no_use_of_them(store, workspace, run):
    """Their accesses stay what they were."""
    before = {card.id: card.accesses for card in Memories(workspace).cards()}
    run("report", "--include", store["private"], "--yes")
    assert {card.id: card.accesses for card in Memories(workspace).cards()} == before
