"""``init`` puts the MCP server into each client's configuration and keeps it current; ``uninstall`` takes it out."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.hosts.records import LOCAL, USER, all_records
from limpet.hosts.registry import HOSTS
from limpet.hosts.server_edits import find_server_entry
from limpet.hosts.servers import CLIENTS, server_place

MINE = {
    ".mcp.json": '{"mcpServers":\t{"mine": {"command": "x"}}}',
    ".codex/config.toml": 'model = "x" # Mine.\n\n[mcp_servers.mine]\ncommand = "x"\n\n\n',
    ".gemini/settings.json": '{\r\n    "ui": {"theme":"x"}\r\n}\r\n',
    ".cursor/mcp.json": "{}",
    ".vscode/mcp.json": '{\n\t"inputs": [],\n\t"servers": {}\n}\n',
    ".agents/mcp_config.json": "",
}
# What a person does to a file with our entry: more in it, and the same text as their formatter writes it.
EDITS = {
    ".json": lambda text: json.dumps({"own": 1, **json.loads(text)}, indent=8),
    ".toml": lambda text: "own = 1\n" + text + "\n[own_table]\n",
}
OWN = {".json": {"own": 1}, ".toml": {"own": 1, "own_table": {}}}
LOCAL_ARGS = ["-P", "-m", "limpet", "mcp"]
FOLDER = ["--project", "${workspaceFolder}"]
EVERY = [word for name in CLIENTS for word in ("--host", name)]


@pytest.fixture(autouse=True)
def project(tmp_path, user, monkeypatch):
    """An empty folder, which is the current one; no client is on PATH, but git is."""
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(shutil.which("git"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(folder)
    return folder


def call(*arguments):
    done = CliRunner().invoke(limpet, [*arguments], catch_exceptions=False)
    return done.output


def init(*arguments):
    return call("init", "--yes", *arguments)


def uninstall(*arguments):
    return call("uninstall", "--yes", *arguments)


def put(project, files):
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(text.encode())


def files(folder):
    """Path -> bytes of everything but Limpet's own folder."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: raw for name, raw in found.items() if not name.startswith(".limpet")}


def read(path):
    text = Path(path).read_text()
    return tomllib.loads(text) if str(path).endswith(".toml") else json.loads(text)


def entry_of(client, path):
    """Our entry as the client finds it; None for none."""
    return find_server_entry(client.key, Path(path).read_text()) if os.path.exists(path) else None


def entries(project, scope="local"):
    """Name of each client -> our entry in its configuration of a scope."""
    return {name: entry_of(client, server_place(client, scope, str(project))) for name, client in CLIENTS.items()}


def change(project, name, command="/gone/python"):
    """The entry names an interpreter that has gone."""
    path = project / name
    path.write_text(path.read_text().replace(json.dumps(sys.executable), json.dumps(command)))


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_each_client_gets_an_entry_that_starts_it_by_this_interpreter(project, client):
    init("--mcp", "--host", client.name)
    moved = ["--folders", state_folder(), cache_folder()]  # by a variable, in every test
    args = [*LOCAL_ARGS, *(FOLDER if client.folder else ()), *moved]
    assert entry_of(client, project / client.file) == {"command": sys.executable, "args": args}
    readers = {name for name, entry in entries(project).items() if entry}
    assert readers == ({"claude-code", "copilot-cli"} if client.file == ".mcp.json" else {client.name})


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_the_shared_entry_names_no_path(project, client):
    init("--mcp", "--shared", "--host", client.name)
    args = ["mcp", *(FOLDER if client.folder else ())]
    assert entry_of(client, project / client.file) == {"command": "limpet", "args": args}
    uninstall()
    assert files(project) == {}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_the_users_own_entry_or_the_way_there(project, user, user_folders, client):
    """Also where the user moved the client's folder."""
    told = init("--mcp", "--user", "--host", client.name)
    path = client.user_file()
    if not path:
        assert f"Note: {client.title} is told of servers for all projects by hand: {client.by_hand}" in told
        return
    assert entry_of(client, path)["command"] == sys.executable and files(project) == {}
    assert f"The MCP server stays in {path}. To remove it too, add --user." in uninstall()
    uninstall("--user")
    assert not os.path.exists(path) and all_records() == ()


def test_without_the_option_no_client_with_hooks_gets_it(project):
    put(project, MINE)
    init("--host", "claude", "--host", "codex", "--host", "gemini", "--host", "copilot")
    assert set(entries(project).values()) == {None}


def test_a_client_that_no_hook_reaches_at_the_prompt_gets_it_unasked(project):
    told = init("--host", "cursor", "--host", "vscode")
    assert {one for one, entry in entries(project).items() if entry} == {"cursor"}
    assert "Set up Limpet for Cursor and VS Code in " in told
    assert "Nothing to do." in init("--host", "cursor", "--host", "vscode")


def test_without_the_sdk_such_a_client_is_told_how_to_have_it(project, monkeypatch):
    monkeypatch.setattr("limpet.hosts.installation.has_sdk", lambda: False)
    told = init("--host", "cursor")
    assert "extra mcp" in told and entries(project)["cursor"] is None


def test_with_the_option_all_that_are_used_here_get_it(project, user):
    """Also the client that is taken for used because none shows."""
    init("--mcp")
    for folder in (os.environ["CODEX_HOME"], user / ".cursor", user / ".vscode"):
        os.mkdir(folder)
    assert {name for name, entry in entries(project).items() if entry} == {"claude-code", "copilot-cli"}
    put(project, {".cursor/rules/x.mdc": "x", ".vscode/settings.json": "{}", ".codex/x": "x"})
    told = init("--mcp")
    assert {name for name, entry in entries(project).items() if not entry} == {"gemini-cli", "antigravity"}
    assert "Set up Limpet for Claude Code, Codex, Cursor and VS Code in " in told


def test_init_of_all_takes_no_option_for_it(project):
    for option in ("--mcp", "--no-mcp"):
        with pytest.raises(LimpetError, match="--all repeats every installation"):
            init("--all", option)


def test_a_later_init_keeps_it_and_changes_nothing(project):
    put(project, MINE)
    init("--mcp", *EVERY)
    before = files(project)
    assert "Nothing to do." in init(*EVERY) and "Nothing to do." in init("--mcp", *EVERY)
    assert files(project) == before


def test_a_later_init_refreshes_an_entry_whose_interpreter_moved(project):
    """And keeps what the person added to it; the old bytes still come back."""
    put(project, MINE)
    init("--mcp", *EVERY)
    for client in CLIENTS.values():
        change(project, client.file)
    path = project / ".cursor/mcp.json"
    path.write_text(json.dumps({"mcpServers": {"limpet": {**entries(project)["cursor"], "env": {"A": "b"}}}}))
    init("--host", "claude")
    assert {entry["command"] for entry in entries(project).values()} == {sys.executable}
    assert entries(project)["cursor"]["env"] == {"A": "b"}
    uninstall()
    assert [read(project / name) for name in MINE if MINE[name]] == [
        tomllib.loads(text) if name.endswith("toml") else json.loads(text) for name, text in MINE.items() if text
    ]


def test_init_everywhere_refreshes_it_too(project, user, tmp_path, monkeypatch):
    init("--mcp", "--host", "cursor")
    init("--mcp", "--user", "--host", "cursor")
    change(project, ".cursor/mcp.json")
    change(user, ".cursor/mcp.json")
    monkeypatch.chdir(tmp_path)
    told = init("--all")
    assert "change  .cursor/mcp.json  the MCP server" in told
    assert [entries(project, scope)["cursor"]["command"] for scope in ("local", "user")] == [sys.executable] * 2


def test_no_mcp_takes_the_server_and_nothing_else(project):
    """Also out of the file that holds hooks."""
    put(project, MINE)
    init("--host", "claude", "--host", "codex", "--host", "gemini")
    before = files(project)
    init("--mcp", *EVERY)
    init("--no-mcp", "--host", "claude", "--host", "codex", "--host", "copilot")
    without = {"claude-code", "codex-cli", "copilot-cli"}
    assert {name for name, entry in entries(project).items() if entry} == {*HOSTS} - without
    init("--no-mcp")
    assert {name: raw for name, raw in files(project).items() if name in before} == before
    assert set(entries(project).values()) == {None}
    assert "Nothing to do." in init("--no-mcp")
    uninstall()
    assert files(project) == {name: text.encode() for name, text in MINE.items()}


def test_no_mcp_of_a_scope_leaves_the_others(project, user):
    init("--mcp", "--user", "--host", "cursor")
    init("--mcp", "--host", "cursor")
    told = init("--no-mcp", "--host", "cursor")
    assert f"The MCP server stays in {user}/.cursor/mcp.json. To remove it too, add --user." in told
    assert entries(project)["cursor"] is None and entries(project, "user")["cursor"]


@pytest.mark.parametrize("present", [MINE, {}], ids=["files", "none"])
@pytest.mark.parametrize("edited", [False, True])
def test_uninstall_gives_the_old_bytes_back_and_keeps_what_a_person_changed_since(project, present, edited):
    put(project, present)
    init("--mcp", *EVERY)
    assert set(files(project)) >= set(MINE)
    for path in (project / name for name in MINE if edited):
        path.write_text(EDITS[path.suffix](path.read_text()))
    uninstall()
    assert all_records() == ()
    if not edited:
        assert files(project) == {name: text.encode() for name, text in present.items()}
        assert {path.name for path in project.iterdir()} == {name.split("/")[0] for name in present}
    for name in MINE if edited else ():
        text, kind = present.get(name, ""), Path(name).suffix
        old = tomllib.loads(text) if kind == ".toml" else json.loads(text or "{}")
        assert read(project / name) == {**OWN[kind], **old}


INIT, SERVER, EDIT = ("init", "--host", "gemini"), ("init", "--mcp", "--host", "gemini"), ("edit",)


@pytest.mark.parametrize("steps", [*itertools.permutations((INIT, SERVER, EDIT)), (INIT, EDIT, SERVER, EDIT, INIT)])
@pytest.mark.parametrize("present", [MINE, {}], ids=["file", "none"])
@pytest.mark.parametrize("last", [(), ("init", "--no-mcp", "--host", "gemini")], ids=["", "no-mcp"])
def test_hooks_and_server_in_one_file_come_and_go_in_every_order(project, steps, present, last):
    """The person's edits between them stay, and what they have in the file's own members."""
    name = ".gemini/settings.json"
    path = project / name
    put(project, {name: present[name]} if present else {})
    is_first = steps[0] == EDIT
    for step in (*steps, *([last] if last else ())):
        if step == EDIT:
            put(project, {name: EDITS[".json"](path.read_text() if path.exists() else "{}")})
        else:
            call(*step, "--yes")
    edited = path.read_bytes() if is_first else b""
    assert bool(entries(project)["gemini-cli"]) != bool(last) and read(path)["hooks"]
    uninstall()
    assert read(path) == {"own": 1, **json.loads(present.get(name, "{}"))}
    assert edited == b"" or path.read_text() == EDITS[".json"](present.get(name, "{}"))
    assert all_records() == ()


def test_claude_code_and_copilot_share_a_file(project):
    """The server is there once, for both; it goes for both."""
    put(project, {".mcp.json": MINE[".mcp.json"]})
    init("--mcp", "--host", "claude")
    before = files(project)[".mcp.json"]
    init("--mcp", "--host", "copilot")
    assert files(project)[".mcp.json"] == before
    assert call("hosts").count(f"by MCP, {project}/.mcp.json") == 2
    states = {state["name"]: state for state in json.loads(call("doctor", "--clients", "--json"))}
    assert states["copilot-cli"]["servers"] == [str(project / ".mcp.json")] and states["codex-cli"]["servers"] == []
    init("--no-mcp", "--host", "copilot")
    assert files(project)[".mcp.json"] == MINE[".mcp.json"].encode()


@pytest.mark.parametrize("linked", [".cursor", ".cursor/mcp.json"])
def test_a_link_out_of_the_project_is_refused(project, tmp_path, linked):
    """And nothing is written."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mcp.json").write_text("{}")
    target = outside if linked == ".cursor" else outside / "mcp.json"
    (project / linked).parent.mkdir(exist_ok=True)
    (project / linked).symlink_to(target)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        init("--mcp", "--host", "cursor", "--host", "claude")
    assert (outside / "mcp.json").read_text() == "{}" and not (project / ".claude").exists()


def test_a_link_that_leads_to_an_entry_of_ours_elsewhere_is_left_alone(project, user):
    """As a checkout may bring one: a plain init does not stumble over it, and uninstall does not follow it."""
    init("--mcp", "--user", "--host", "cursor")
    (project / ".cursor").mkdir()
    (project / ".cursor/mcp.json").symlink_to(user / ".cursor/mcp.json")
    before = (user / ".cursor/mcp.json").read_bytes()
    init()
    uninstall("--shared")
    assert (user / ".cursor/mcp.json").read_bytes() == before and (project / ".cursor/mcp.json").is_symlink()


@pytest.mark.parametrize(
    ("name", "client", "text"),
    [
        (".vscode/mcp.json", "vscode", '{\n  // Mine.\n  "servers": {}\n}\n'),
        (".codex/config.toml", "codex-cli", "mcp_servers = []\n"),
        (".cursor/mcp.json", "cursor", '{"mcpServers": []}'),
        (".mcp.json", "claude-code", "\udcff"),
    ],
)
def test_a_configuration_that_cannot_be_edited_is_told_with_what_to_add(project, name, client, text):
    """It keeps its bytes, and the other clients get theirs."""
    raw = text.encode(errors="surrogateescape")
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_bytes(raw)
    told, antigravity = init("--mcp", "--host", client, "--host", "antigravity"), CLIENTS["antigravity"]
    assert (project / name).read_bytes() == raw and entry_of(antigravity, project / antigravity.file)
    line = next(line for line in told.splitlines() if "To have the MCP server there, add by hand:" in line)
    added = line.partition("by hand: ")[2]
    read_back = tomllib.loads(added)["mcp_servers"] if name.endswith("toml") else json.loads(added)[CLIENTS[client].key]
    assert read_back["limpet"]["command"] == sys.executable and str(project / name) in line
    init()
    uninstall()
    assert (project / name).read_bytes() == raw and all_records() == ()


def test_a_file_that_cannot_be_read_any_more_is_told_at_uninstall(project):
    """Its record stays, so that it is given back once it can be."""
    init("--mcp", "--host", "cursor")
    path = project / ".cursor/mcp.json"
    whole = path.read_text()
    path.write_text("// Mine.\n" + whole)
    told = uninstall()
    assert "If the MCP server is there, remove it by hand." in told and len(all_records()) == 1
    path.write_text(whole)
    uninstall()
    assert not path.exists() and all_records() == ()


def test_another_server_with_our_name_is_kept_and_told(project):
    text = '{"mcpServers": {"limpet": {"command": "other"}}}'
    put(project, {".mcp.json": text})
    told = init("--mcp", "--host", "claude", "--host", "copilot")
    assert told.count("has another server with the name limpet. It was kept.") == 1
    init("--no-mcp")
    uninstall()
    assert (project / ".mcp.json").read_text() == text


@pytest.mark.parametrize("gone", ["entry", "file"])
def test_what_a_person_took_out_is_forgotten(project, gone):
    """No record of it stays, nor the launcher for its sake."""
    put(project, {".cursor/mcp.json": MINE[".mcp.json"]})
    init("--host", "cursor")
    path = project / ".cursor/mcp.json"
    path.unlink() if gone == "file" else path.write_text(MINE[".mcp.json"])
    uninstall()
    assert all_records() == () and files(project) == ({} if gone == "file" else {".cursor/mcp.json": path.read_bytes()})


def test_without_the_sdk_it_is_refused_and_nothing_written(project, monkeypatch):
    """But not for the others, by the shared entry."""
    monkeypatch.setattr("limpet.hosts.servers.find_spec", lambda name: None)
    for words in (["--mcp"], ["--mcp", "--host", "cursor"], ["--mcp", "--user"]):
        with pytest.raises(LimpetError, match=r"needs the extra mcp.*pip install .*\[mcp\]"):
            init(*words)
    assert files(project) == {} and not (project / ".limpet").exists()
    init("--mcp", "--shared", "--host", "claude")
    assert entries(project)["claude-code"]["command"] == "limpet"
    assert "The MCP server needs the extra mcp" in call("doctor")
    init()
    init("--no-mcp", "--shared")
    assert entries(project)["claude-code"] is None


def test_programs_and_dry_runs_are_told_before(project):
    put(project, MINE)
    before = files(project)
    planned = json.loads(call("init", "--dry-run", "--json", "--mcp", *EVERY))
    assert files(project) == before and not planned["applied"]
    told = {os.path.relpath(change["path"], project): change for change in planned["changes"]}
    assert {name: told[name]["do"] for name in MINE} == dict.fromkeys(MINE, "change")
    assert {told[name]["what"] for name in MINE if "gemini" not in name} == {"the MCP server"}
    assert told[".gemini/settings.json"]["what"].endswith("hooks, the MCP server")
    assert len(planned["changes"]) == len({change["path"] for change in planned["changes"]})
    assert "+[mcp_servers.limpet]" in call("init", "--dry-run", "--mcp", *EVERY)
    assert files(project) == before


def test_a_path_of_this_machine_stays_out_of_git(project):
    """By a line in the repository's own list; a file that is in git gets none."""
    subprocess.run(["git", "init", "-q", project], check=True)
    init("--host", "claude")
    init("--mcp", "--host", "claude")
    assert "/.mcp.json\n" in (project / ".git" / "info" / "exclude").read_text()
    init("--no-mcp", "--host", "claude")
    put(project, {".mcp.json": "{}"})
    subprocess.run(["git", "-C", project, "add", "-f", ".mcp.json"], check=True)
    told = init("--mcp", "--host", "claude")
    assert f"{project}/.mcp.json: The file is in git" in told and "claude mcp add -s user limpet" in told
    assert (project / ".mcp.json").read_text() == "{}"


def test_doctor_names_where_it_stands_and_what_it_lacks(project):
    init("--mcp", "--host", "claude", "--host", "cursor")
    told = call("doctor", "--all")
    assert f"Claude Code, Copilot CLI: MCP server in {project}/.mcp.json" in told
    change(project, ".cursor/mcp.json")
    told = call("doctor")
    assert f"{project}/.cursor/mcp.json starts the MCP server by /gone/python, which is missing" in told
    init("--mcp", "--shared", "--host", "claude")
    assert f"{project}/.mcp.json starts the MCP server by limpet, which is missing" in call("doctor")


def test_doctor_asks_for_no_hooks_where_a_client_without_them_is_served_alone(project):
    told = call("init", "--yes", "--host", "vscode") + call("doctor", "--all")
    assert "\nfail" not in told and "Claude Code" not in told
    init("--host", "codex")
    assert "Codex: hooks on" in call("doctor", "--all")


def test_a_moved_project_gives_the_old_bytes_back(project, tmp_path, monkeypatch):
    put(project, {".cursor/mcp.json": MINE[".mcp.json"]})
    init("--host", "cursor")
    moved = tmp_path / "moved"
    project.rename(moved)
    monkeypatch.chdir(moved)
    uninstall()
    assert files(moved) == {".cursor/mcp.json": MINE[".mcp.json"].encode()} and all_records() == ()


def test_in_a_clone_the_teams_entry_stays_unless_shared_is_said(project, tmp_path, monkeypatch):
    put(project, {".mcp.json": MINE[".mcp.json"]})
    init("--mcp", "--shared", "--host", "claude")
    clone = tmp_path / "clone"
    shutil.copytree(project, clone, ignore=shutil.ignore_patterns(".limpet"))
    monkeypatch.chdir(clone)
    before = files(clone)[".mcp.json"]
    init("--mcp", "--host", "claude")
    assert files(clone)[".mcp.json"] == before
    told = uninstall()
    assert f"The MCP server stays in {clone}/.mcp.json. To remove it too, add --shared." in told
    assert files(clone)[".mcp.json"] == before
    uninstall("--shared")
    assert json.loads(files(clone)[".mcp.json"]) == json.loads(MINE[".mcp.json"])


def test_the_shared_entry_replaces_the_local_one_where_it_is_asked_for(project):
    """And goes with the old bytes; shared hooks alone, and an `init` everywhere, leave a local one local."""
    put(project, MINE)
    init("--mcp", *EVERY)
    init("--shared", "--host", "claude")
    init("--all")
    assert {entry["command"] for entry in entries(project).values()} == {sys.executable}
    for words in (["--mcp", "--shared"], ["--mcp"]):
        init(*words, *EVERY)
        assert {entry["command"] for entry in entries(project).values()} == {"limpet"}
    uninstall("--shared")
    assert files(project) == {name: text.encode() for name, text in MINE.items()}


def test_every_host_is_one():
    assert set(CLIENTS) == {*HOSTS}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_client_has_a_file_of_the_users_or_the_way_there(client, project, user):
    assert server_place(client, LOCAL, str(project)).startswith(str(project) + os.sep)
    assert bool(server_place(client, USER, str(project))) != bool(client.by_hand)
    assert "~" not in server_place(client, USER, str(project))


COMMENTED = {
    ".gemini/settings.json": '{\n  // how it looks: "http://x"\n  "mcpServers": {"limpet": %s} /* quiet */\n}\n',
    ".vscode/mcp.json": '{\n  // all of them\n  "servers": {"limpet": %s,},\n}\n',
}


def test_what_a_client_reads_with_comments_is_read_and_left_as_it_is(project):
    """Neither written, nor asked for again; other clients are served."""
    texts = {name: text % json.dumps({"command": "limpet", "args": ["mcp"]}) for name, text in COMMENTED.items()}
    put(project, texts)
    done = call("init", "--yes", "--mcp", *EVERY)
    assert f"Gemini CLI is left out. {project}/.gemini/settings.json:2:3: A comment" in done
    assert "by hand" not in done
    assert find_server_entry("", (project / ".codex/config.toml").read_text())
    told = call("doctor", "--all")
    assert all(f"{project}/{name} starts the MCP server by limpet" in told for name in texts)
    gone = call("uninstall", "--yes")
    assert "by hand" not in gone and not (project / ".codex").exists()
    assert {name: (project / name).read_text() for name in texts} == texts


def test_hooks_that_stand_beside_comments_are_in_force(project):
    """Those of a file that was commented after they came: nothing is missing, and removal names the file."""
    call("init", "--yes", "--host", "gemini")
    path = project / ".gemini" / "settings.json"
    path.write_text(f"// mine\n{path.read_text()}")
    text = path.read_text()
    assert "left out" not in call("init", "--yes", "--host", "gemini")
    states = json.loads(call("doctor", "--clients", "--json"))
    assert [one["hooks"] for one in states if one["name"] == "gemini-cli"] == [[str(path)]]
    assert f"{path}:1:1: A comment, which JSON cannot have. Remove Limpet's hooks there by hand" in call(
        "uninstall", "--yes"
    )
    assert path.read_text() == text


@pytest.mark.parametrize("inline", ['{ docs = { command = "npx" } }', "{}", '{ docs = {command = "}", args = ["{"]}}'])
def test_servers_in_one_line_get_ours_among_them(project, inline):
    """And lose it again, with all other bytes kept, also of a file that was changed since."""
    path, text = project / ".codex" / "config.toml", f'mcp_servers = {inline} # mine\r\nmodel = "y"\r\n'
    put(project, {".codex/config.toml": text})
    call("init", "--yes", "--mcp", "--host", "codex")
    now = path.read_bytes().decode()
    found = tomllib.loads(now)
    assert found["mcp_servers"].pop("limpet")["args"][:4] == LOCAL_ARGS and found == tomllib.loads(text)
    path.write_bytes(f"{now}own = 1\r\n".encode())
    call("init", "--yes", "--mcp", "--host", "codex")
    assert path.read_bytes().decode() == f"{now}own = 1\r\n"
    call("uninstall", "--yes")
    assert path.read_bytes().decode() == f"{text}own = 1\r\n"
