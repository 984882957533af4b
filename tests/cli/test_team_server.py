"""``limpet serve``, ``limpet team join``, ``limpet sync``: two clones of a project share through a real server."""

import json
import os
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import psycopg
import pytest

from limpet.hosts.surroundings import variables_of_hosts
from limpet.jobs import share
from limpet.operations.sharing.remote import is_background_due

from ..commands import run_command
from ..team_servers import database, postgres, server  # noqa: F401

PROJECT = "example.com/acme/shop"
NOW = 1_800_000_000.0
WISH = "Amounts are integers in cents, never floats"


class Clone:
    """Of one person, with a home of their own."""

    def __init__(self, folder, name, project=PROJECT):
        self.home = os.path.join(folder, name)
        self.root = os.path.join(self.home, "shop")
        os.makedirs(self.root)
        for words in (("init", "-q"), ("remote", "add", "origin", f"git@{project.replace('/', ':', 1)}.git")):
            subprocess.run(["git", *words], cwd=self.root, check=True)
        self.run("init", "--yes")
        self.run("trust", "--yes")

    def run(self, *words, stdin=""):
        known = {name: value for name, value in os.environ.items() if name not in variables_of_hosts()}
        own = {
            f"XDG_{kind}_HOME": os.path.join(self.home, kind.lower()) for kind in ("DATA", "STATE", "CACHE", "CONFIG")
        }
        moved = {"LIMPET_DATA": "", "LIMPET_STATE": "", "LIMPET_CACHE": ""}
        return run_command(words, self.root, {**known, **own, **moved, "HOME": self.home}, stdin)

    def ask(self, *words):
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def git(self, *words):
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
        subprocess.run(["git", *who, *words], cwd=self.root, check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "more")

    def join(self, server, token):  # noqa: F811
        return self.ask("team", "join", server.url, "--token", token, "--yes")

    def share(self, title=WISH):
        key = self.run("memory", "add", title).stdout.strip()
        assert self.run("memory", "share", key).returncode == 0
        return key

    def team_files(self):
        folder = os.path.join(self.root, ".limpet", "memories", "team")
        return sorted(name for _, _, names in os.walk(folder) for name in names)


@pytest.fixture
def ann(tmp_path):
    return Clone(tmp_path, "ann")


@pytest.fixture
def bob(tmp_path):
    return Clone(tmp_path, "bob")


def test_two_clones_share_what_was_shared_and_nothing_else(server, ann, bob):  # noqa: F811
    ann.run("memory", "add", "The password of the vault is under the mat")
    ann.share()
    joined = ann.join(server, server.token("acme", "ann"))
    assert (joined["project"], joined["person"], joined["sent"]) == (PROJECT, "ann", 1)
    assert bob.join(server, server.token("acme", "bob"))["received"] == 1
    assert bob.team_files() == ann.team_files()
    review = bob.ask("review")
    assert [(one["by"], one["title"]) for one in review["team"]] == [("ann", WISH)]
    assert bob.run("memory", "list").stdout.count("vault") == 0

    bob.share("Use pnpm, never npm")
    assert bob.ask("sync")["team"]["sent"] == 1
    received = ann.ask("sync")["team"]
    assert received["received"] == 1 and received["apart"] == {}
    assert [one["by"] for one in ann.ask("review")["team"]] == ["bob"]
    assert ann.ask("sync")["team"]["sent"] == 0


def test_what_is_shared_no_longer_leaves_the_others(server, ann, bob):  # noqa: F811
    key = ann.share()
    ann.join(server, server.token("acme", "ann"))
    bob.join(server, server.token("acme", "bob"))
    assert ann.run("memory", "share", key, "--undo").returncode == 0
    assert ann.ask("sync")["team"]["deleted"] == 1
    bob.ask("sync")
    assert bob.team_files() == []
    assert WISH in ann.run("memory", "list").stdout


def test_without_the_server_nothing_is_lost_and_the_next_run_sends(server, ann, bob):  # noqa: F811
    ann.join(server, server.token("acme", "ann"))
    server.kill()
    ann.share()
    assert "does not answer" in ann.ask("sync")["team"]["offline"]
    server.start()
    assert ann.ask("sync")["team"]["sent"] == 1
    assert bob.join(server, server.token("acme", "bob"))["received"] == 1


def test_a_revoked_token_opens_nothing_and_leaving_keeps_the_memories(server, ann):  # noqa: F811
    ann.share()
    refused = ann.run("team", "join", server.url, "--token", "lmp_61_2a_1_x", "--yes")
    assert refused.returncode and "opens nothing" in refused.stderr
    assert ann.run("sync").returncode, "nothing was joined"
    ann.join(server, server.token("acme", "ann"))
    assert ann.run("team", "leave", "--yes").returncode == 0
    assert len(ann.team_files()) == 1
    assert ann.run("team", "leave", "--yes").returncode


@pytest.mark.parametrize("url", ("http://example.com", "ftp://127.0.0.1", "https://u:p@example.com", "https://"))
def test_a_token_never_crosses_a_network_in_the_open(ann, url):
    refused = ann.run("team", "join", url, "--token", "lmp_61_2a_1_x", "--yes")
    assert refused.returncode and "Not an address of a server" in refused.stderr


def test_the_token_lies_in_a_file_for_its_owner_alone(server, ann):  # noqa: F811
    token = server.token("acme", "ann")
    ann.join(server, token)
    found = []
    for folder, _, names in os.walk(ann.home):
        for path in (os.path.join(folder, name) for name in names):
            with open(path, "rb") as file:
                found += [path] if token.encode() in file.read() else []
    assert len(found) == 1
    assert os.stat(found[0]).st_mode & 0o077 == 0


def test_what_the_organisation_approved_is_offered(server, ann):  # noqa: F811
    for number in (1, 2, 3):
        other = Clone(os.path.join(ann.home, f"other{number}"), "home", f"example.com/acme/p{number}")
        other.share()
        other.join(server, server.token("acme", f"person{number}"))
    eve = Clone(ann.home, "eve")
    eve.join(server, server.token("acme", "eve", "read", "write", "admin"))
    (proposal,) = eve.ask("team", "proposals")["proposals"]
    assert (proposal["title"], proposal["projects"], proposal["confidence"]) == (WISH, 3, 0.76)
    assert f"3 projects  0.76  {WISH}" in eve.run("team", "proposals").stdout
    unasked = eve.run("team", "proposals", "--approve", proposal["sense"])
    assert unasked.returncode == 1 and "person" in unasked.stderr
    assert len(eve.ask("team", "proposals")["proposals"]) == 1
    assert eve.ask("team", "proposals", "--approve", proposal["sense"], "--yes")["approved"] is True
    assert eve.ask("team", "proposals") == {"proposals": []}
    ann.join(server, server.token("acme", "ann"))
    refused = ann.run("team", "proposals")
    assert refused.returncode == 1 and "This token lacks the scope admin" in refused.stderr
    (offered,) = ann.ask("review")["approved"]
    assert (offered["title"], offered["decided_by"]) == (WISH, "eve")
    assert f'Approved by eve for all projects: "{WISH}"' in ann.run("review").stdout


KNOWN = """principles:
- id: PR-001
  text: "{wish}"
  confidence: 0.68
  status: active
  scope: project
  start: 0.6
  evidence:
  - {{source: S-1, observation: OB-001, effect: create, agent: developer, at: 2026-11-01T00:00:00Z}}
  - {{source: "conversation:zebraday", observation: OB-007, effect: reinforce, agent: "", at: 2026-11-02T00:00:00Z}}
"""
SEEN = """story_id: S-1
observations:
- {{id: OB-001, type: discovery, text: "Sums in floats were a cent off", importance: 8, agent: developer}}
- {{id: OB-002, type: discovery, text: "Something else about quaggas", importance: 3, agent: developer}}
"""


def learn(clone, wish=WISH, commit=True):
    folder = os.path.join(clone.root, ".limpet")
    for name, text in (("knowledge/principles.yml", KNOWN), ("stories/S-1/observations.yml", SEEN)):
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text.format(wish=wish))
    if commit:
        clone.commit()


def shared_texts(database):  # noqa: F811
    """(Kind, text) of what the database holds."""
    with psycopg.connect(database) as connection:
        return connection.execute("SELECT kind, convert_from(body, 'UTF8') FROM revision ORDER BY place").fetchall()


def test_what_is_committed_of_the_knowledge_goes_once_and_is_written_nowhere(server, database, ann, bob):  # noqa: F811
    learn(ann, commit=False)
    assert ann.join(server, server.token("acme", "ann"))["sent"] == 0
    ann.commit()
    assert ann.ask("sync")["team"]["sent"] == 2
    kinds, texts = zip(*shared_texts(database), strict=True)
    assert kinds == ("knowledge", "observation")
    assert WISH in texts[0] and "a cent off" in texts[1] and "quaggas" not in "".join(texts)
    assert ann.ask("sync")["team"]["sent"] == 0
    assert bob.join(server, server.token("acme", "bob"))["received"] == 2
    assert not os.path.exists(os.path.join(bob.root, ".limpet", "knowledge", "principles.yml"))
    learn(bob)
    assert bob.ask("sync")["team"]["sent"] == 0


def test_a_branch_that_lacks_an_entry_takes_none_back_and_a_commit_that_deletes_it_does(server, database, ann):  # noqa: F811
    ann.commit()
    ann.git("branch", "older")
    learn(ann)
    ann.join(server, server.token("acme", "ann"))
    ann.git("checkout", "-q", "older")
    ann.commit()
    assert ann.ask("sync")["team"]["sent"] == 0
    ann.git("checkout", "-q", "-")
    os.unlink(os.path.join(ann.root, ".limpet", "knowledge", "principles.yml"))
    ann.commit()
    assert ann.ask("sync")["team"]["deleted"] == 2
    assert not any(WISH in text for _, text in shared_texts(database))


PLACES = {"supersedes": "KEY", "last_reinforced": "KEY", "aliases": "[KEY]", "source": "KEY", "KEY": "a key of no name"}


def test_a_secret_in_the_knowledge_stays(server, database, ann):  # noqa: F811
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    beside = "".join(f"\n  {name}: {value}" for name, value in PLACES.items()).replace("KEY", key)
    learn(ann, f'Use the token {key} for the registry"{beside}\n  owner: "x')
    assert ann.join(server, server.token("acme", "ann"))["sent"] == 2
    texts = "".join(text for _, text in shared_texts(database))
    assert "for the registry" in texts and key not in texts


def test_a_letter_keeps_what_the_organisation_approved_and_it_is_not_asked_again(workspace, call, screen):
    os.makedirs(os.path.join(workspace.shared, "server"), exist_ok=True)
    with open(os.path.join(workspace.shared, "server", "approved"), "w") as file:
        json.dump({"0" * 16: [WISH, "eve"]}, file)
    seen = "\n".join(screen(120, "review", typed="k\n"))
    assert "approved by eve for all projects:" in seen and f'Kept: "{WISH}"' in seen
    assert WISH in call("memory", "list").stdout
    assert json.loads(call("review", "--json").stdout)["approved"] == []


def test_an_agent_joins_and_leaves_nothing(server, call, workspace):  # noqa: F811
    """Each takes the person's word."""
    words = ("team", "join", server.url, "--token", server.token("acme/shop", "ann"), "--yes")
    done = call(*words, agent="dev")
    assert (done.returncode, "person" in done.stderr) == (1, True)
    assert call(*words).returncode == 0
    done = call("team", "leave", "--yes", agent="dev")
    assert (done.returncode, "person" in done.stderr) == (1, True)


def test_what_is_shared_goes_by_itself_after_a_conversation(server, call, workspace):  # noqa: F811
    assert not is_background_due(workspace, NOW)
    call("team", "join", server.url, "--token", server.token("acme/shop", "ann"), "--yes")
    assert is_background_due(workspace, NOW) and not is_background_due(workspace, NOW + 299)
    assert is_background_due(workspace, NOW + 300)
    key = call("memory", "add", WISH).stdout.strip()
    assert call("memory", "share", key).returncode == 0
    assert share(workspace, {"now": NOW}) == {"sent": 1, "received": 0}


@pytest.mark.parametrize("broken", ("principles:\n- {id: PR-001, text: [\n", "<<<<<<< ours\n", "principles: 7\n"))
def test_knowledge_that_cannot_be_read_takes_back_nothing(server, database, ann, broken):  # noqa: F811
    """It may say all that was known: only what a commit plainly lacks is gone."""
    learn(ann)
    ann.join(server, server.token("acme", "ann"))
    path = os.path.join(ann.root, ".limpet", "knowledge", "principles.yml")
    with open(path, "w") as file:
        file.write(broken)
    ann.commit()
    assert ann.ask("sync")["team"]["deleted"] == 0
    assert any(WISH in text for _, text in shared_texts(database))
    with open(path, "w") as file:
        file.write("principles:\n")
    ann.commit()
    assert ann.ask("sync")["team"]["deleted"] == 2


def test_words_that_a_machine_merged_are_of_whoever_wrote_them(server, ann, bob):  # noqa: F811
    """And not of whoever's machine was the one that merged."""
    ann.share()
    ann.join(server, server.token("acme", "ann"))
    bob.join(server, server.token("acme", "bob"))
    for clone, old, new in ((ann, "tags: []", "tags: [money]"), (bob, "\n# ", "\n# Always: ")):
        folder = os.path.join(clone.root, ".limpet", "memories", "team", "durable")
        (name,) = os.listdir(folder)
        path = os.path.join(folder, name)
        with open(path) as file:
            text = file.read()
        assert old in text
        with open(path, "w") as file:
            file.write(text.replace(old, new, 1))
    bob.ask("sync")
    assert ann.ask("sync")["team"]["beside"] == []
    carl = Clone(os.path.dirname(ann.home), "carl")
    carl.join(server, server.token("acme", "carl"))
    ((by, title),) = [(one["by"], one["title"]) for one in carl.ask("review")["team"]]
    assert (by, title) == ("bob", f"Always: {WISH}")


@pytest.mark.parametrize(
    "says",
    (b"[]", b"{}", b'{"project": "p"}', b"null", b'"x"'),
    ids=range(5),
)
def test_what_answers_and_is_no_server_of_ours_is_named(ann, says):
    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(says)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as other:
        answering = Thread(target=other.handle_request, daemon=True)
        answering.start()
        done = ann.run("team", "join", f"http://127.0.0.1:{other.server_port}", "--token", "t", "--yes")
        answering.join()
    assert done.returncode == 1 and "Not an answer of a Limpet server" in done.stderr
