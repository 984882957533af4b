"""What is in a package: the same for everybody, from the sources that `init` uses."""

import json
import os
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import pytest

from limpet import __version__
from limpet.ground.errors import LimpetError
from limpet.hosts.commands.lines import plugin_command, read_command
from limpet.hosts.origin import install_line_for_others
from limpet.hosts.packages import LIST, PACKAGES, missing_message, read_icon, render_package, write_package
from limpet.hosts.registry import HOSTS, host_of
from limpet.hosts.skills import render_skill

ROOT = Path(__file__).parents[2]
MANIFESTS = ("plugin.json", "gemini-extension.json")


@pytest.fixture(params=PACKAGES)
def host(request):
    """Every host with a package."""
    return request.param


@pytest.fixture(params=[name for name in PACKAGES if name != "antigravity"])
def hooked(request):
    """Those whose packages have hooks."""
    return request.param


def named(files, name):
    """The file of this name, wherever it is in the package."""
    (found,) = [raw for path, raw in files.items() if path.rpartition("/")[2] == name]
    return found


def handlers(host):
    """(event, matcher, handler) of each hook of a package, in order."""
    hooks = json.loads(named(render_package(host), "hooks.json"))["hooks"]
    found = []
    for event, groups in hooks.items():
        found += [(event, group.get("matcher"), *group.get("hooks", [group])) for group in groups]
    return found


def test_the_bytes_are_the_same_in_another_process_and_folder(host, tmp_path):
    """Nothing of the machine, the user, the time or the order of a set is in them."""
    code = "import sys; from limpet.hosts.packages import render_package as r; "
    code += "import hashlib; print(hashlib.sha256(repr(r(sys.argv[1])).encode()).hexdigest())"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONHASHSEED": "7"}
    environment["PYTHONPATH"] = str(ROOT / "src")
    run = [sys.executable, "-c", code, host]
    first = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    second = subprocess.run(run, capture_output=True, text=True, check=True, env={**os.environ, **environment}).stdout
    assert first == second
    assert str(ROOT).encode() not in b"".join(render_package(host).values())


def test_the_hooks_are_those_of_a_committed_file(hooked):
    """Matcher, timeout and all, and a line that says whose it is; some take those for Claude Code."""
    source = "claude-code" if hooked in ("copilot-cli", "vscode") else hooked
    wanted = [
        (each.event, each.matcher or None, plugin_command(source, each.event), each.timeout, {**each.others})
        for each in host_of(source).registrations(True)
    ]
    ours = [(event, matcher, hook) for event, matcher, hook in handlers(hooked) if read_command(hook["command"])]
    rest = ("type", "command", "timeout", "matcher")
    found = [
        (event, matcher, hook["command"], hook["timeout"], {key: hook[key] for key in hook if key not in rest})
        for event, matcher, hook in ours
    ]
    assert found == wanted
    assert all((read_command(hook["command"]).host, event) == (source, event) for event, _, hook in ours)


@pytest.mark.skipif(os.name == "nt", reason="the lines are for a POSIX shell")
def test_only_a_machine_without_limpet_is_told_and_only_at_a_start(hooked, tmp_path):
    """In the JSON of the host; every line ends with exit code 0, so that no client takes it for a denial."""
    (other,) = [each for each in handlers(hooked) if not read_command(each[2]["command"])]
    assert other[:2] == (("sessionStart", None) if hooked == "cursor" else ("SessionStart", "startup"))
    (tmp_path / "limpet").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "limpet").chmod(0o755)

    def say(line, path):
        done = subprocess.run(["/bin/sh", "-c", line], env={"PATH": path}, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    assert set(json.loads(say(other[2]["command"], "/nowhere")).values()) == {missing_message()}
    assert say(other[2]["command"], str(tmp_path)) == ""
    ours = [hook["command"] for _, _, hook in handlers(hooked) if read_command(hook["command"])]
    assert {say(line, "/nowhere") for line in ours} == {""}


def test_manifest_server_page_and_skill_are_the_products(host):
    """Gemini CLI has the server in its manifest, and no skill: it warns of one that a project has as well."""
    assert set(PACKAGES) == set(HOSTS)
    files, is_gemini = render_package(host), host == "gemini-cli"
    (manifest,) = [json.loads(raw) for path, raw in files.items() if path.endswith(MANIFESTS)]
    assert (manifest["name"], manifest["version"]) == ("limpet", __version__)
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["license"] == manifest.get("license", "MIT")
    assert named(files, "LICENSE") == (ROOT / "LICENSE").read_bytes()
    configuration = {"gemini-cli": "gemini-extension.json", "cursor": "mcp.json", "antigravity": "mcp_config.json"}
    servers = json.loads(named(files, configuration.get(host, ".mcp.json")))["mcpServers"]
    assert servers == {"limpet": {"command": "limpet", "args": ["mcp"]}}
    page = named(files, "README.md").decode()
    assert len(page.split()) >= 40  # as many as a directory asks for
    assert install_line_for_others("mcp", "uv tool install") in page and "{" not in page and "`limpet trust`" in page
    skills = [raw for path, raw in files.items() if path.endswith("SKILL.md")]
    assert skills == ([] if is_gemini else [render_skill()])


def test_every_path_that_a_manifest_names_is_there(host):
    files = render_package(host)
    for path, raw in files.items():
        if not path.endswith("plugin.json"):
            continue
        root = path.split(".")[0]
        manifest = json.loads(raw)
        parts = [manifest.get(key) for key in ("icon", "skills", "hooks", "mcpServers")]
        for part in filter(None, (*parts, manifest.get("interface", {}).get("logo"))):
            assert any(name.startswith(root + part.removeprefix("./")) for name in files), part


def test_the_icon_is_a_square_png():
    """Read back by hand: a palette of two colours, and rows of as many bits."""
    raw, size = read_icon(), (512).to_bytes(4, "big")
    assert raw[:8] == b"\x89PNG\r\n\x1a\n" and raw[16:24] == size * 2
    start = raw.index(b"IDAT")
    length = int.from_bytes(raw[start - 4 : start], "big")
    pixels = zlib.decompress(raw[start + 4 : start + 4 + length])
    assert len(pixels) == 512 * (1 + 512 // 8)
    assert int.from_bytes(raw[start + 4 + length : start + 8 + length], "big") == zlib.crc32(
        raw[start : start + 4 + length]
    )
    assert set(bin(int.from_bytes(pixels, "big"))[2:]) == {"0", "1"}


FILES = {"a.json": b"{}\n", "hooks/hooks.json": b"[]\n"}
NEWER = {"a.json": b'{"version": 2}\n', "skills/limpet/SKILL.md": b"---\n"}


def content(folder):
    """Relative path -> bytes of what is in a folder, our list apart."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != LIST]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_new_an_empty_and_a_half_written_folder_get_the_files(tmp_path):
    """Half written there is no list yet; a repository may hold the package, and nothing of git's is touched."""
    half, git = {"a.json": FILES["a.json"]}, {".git/config": b"[core]\n"}
    for name, there in (("new/deep", {}), ("empty", {}), ("half", half), ("repository", git)):
        for path, raw in there.items():
            (tmp_path / name / path).parent.mkdir(parents=True)
            (tmp_path / name / path).write_bytes(raw)
        write_package(FILES, str(tmp_path / name))
        assert content(tmp_path / name) == {**FILES, **there}


def test_an_older_package_is_replaced(tmp_path):
    """What only the older one had is gone, with its folders."""
    write_package(FILES, str(tmp_path))
    write_package(NEWER, str(tmp_path))
    assert content(tmp_path) == NEWER
    assert not (tmp_path / "hooks").exists()
    write_package(NEWER, str(tmp_path))
    assert content(tmp_path) == NEWER


@pytest.mark.parametrize("name", ["notes.txt", "hooks/mine.json", ".git/../x"])
def test_a_folder_with_other_files_is_refused(tmp_path, name):
    """Also where a package of ours is in it; nothing is written."""
    folder = tmp_path / "out"
    write_package(FILES, str(folder))
    other = folder / name if ".." not in name else folder / "x"
    other.write_bytes(b"mine")
    before = content(folder)
    with pytest.raises(LimpetError, match="no file of a package of ours"):
        write_package(NEWER, str(folder))
    assert content(folder) == before


def test_a_file_of_ours_that_was_changed_is_refused(tmp_path):
    write_package(FILES, str(tmp_path))
    (tmp_path / "a.json").write_bytes(b"mine")
    with pytest.raises(LimpetError, match=r"a\.json"):
        write_package(NEWER, str(tmp_path))
    assert (tmp_path / "a.json").read_bytes() == b"mine"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("name", ["hooks", "a.json", LIST])
def test_no_link_leads_the_writing_out(tmp_path, name):
    """Neither a folder nor a file, also where what it leads to is what would be written."""
    folder, outside = tmp_path / "out", tmp_path / "outside"
    folder.mkdir()
    if name == "hooks":
        outside.mkdir()
        (outside / "hooks.json").write_bytes(FILES["hooks/hooks.json"])
    else:
        outside.write_bytes(FILES["a.json"])
    os.symlink(outside, folder / name)
    with pytest.raises(LimpetError, match="no file of a package of ours"):
        write_package(NEWER, str(folder))
    assert sorted(os.listdir(folder)) == [name]
    assert content(tmp_path)[f"outside{'/hooks.json' if name == 'hooks' else ''}"] in FILES.values()
