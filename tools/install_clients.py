"""Install the coding agents that the tests under tests/clients drive: python tools/install_clients.py FOLDER

Claude Code comes through npm, with --copilot GitHub's Copilot CLI too, in the versions that the recorded fixtures are
of; with --codex and --gemini the two others. They land in FOLDER/bin; the program ends by saying what to set. What is
installed already is left alone. Needs npm on PATH and some 500 MB, 1.5 GB for all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.329"
COPILOT_CLI = "@github/copilot@1.0.102"
CODEX_CLI = "@openai/codex@0.169.0"
GEMINI_CLI = "@google/gemini-cli@0.61.0"
NODE = "node@22.23.3"
OTHERS = {"copilot": COPILOT_CLI, "codex": CODEX_CLI, "gemini": GEMINI_CLI}
OLDEST_NODE = (22, 19)  # npm on an older Node quietly picks an older client


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and return the exit status."""
    parser = argparse.ArgumentParser(description="Install the coding agents that the tests under tests/clients drive.")
    parser.add_argument("folder", type=Path, help="where to install")
    for name in OTHERS:
        parser.add_argument(f"--{name}", action="store_true", help=f"also {name.capitalize()} CLI")
    options = parser.parse_args(arguments)
    folder: Path = options.folder.resolve()
    if not shutil.which("npm"):
        print("npm is not on PATH: install Node.js first", file=sys.stderr)
        return 1
    try:
        environment = environment_with_node(folder)
        installed = {"LIMPET_CLAUDE": install_client(folder, "claude", CLAUDE_CODE, environment)}
        for name in filter(vars(options).get, OTHERS):
            installed[f"LIMPET_{name.upper()}"] = install_client(folder, name, OTHERS[name], environment)
    except subprocess.CalledProcessError as problem:
        print(f"npm ended with status {problem.returncode}; nothing is linked", file=sys.stderr)
        return 1
    print("installed; now set " + " ".join(f"{name}={path}" for name, path in installed.items()))
    return 0


def environment_with_node(folder: Path) -> dict[str, str]:
    """The environment for npm, with a Node of our own in front of PATH if the one there is too old."""
    environment = dict(os.environ)
    if node_version() >= OLDEST_NODE:
        return environment
    binaries = npm_install(folder / "node", NODE, environment) / "node" / "bin"
    if os.name != "nt":  # beside the clients, where who starts them puts it on PATH
        _link(folder / "bin" / "node", binaries / "node")
    return {**environment, "PATH": f"{binaries}{os.pathsep}{environment['PATH']}"}


def install_client(folder: Path, name: str, package: str, environment: Mapping[str, str]) -> Path:
    """Install the client of this name, and return the path to start it by."""
    program = npm_install(folder / name, package, environment) / ".bin" / name
    if os.name == "nt":  # links need a privilege there, and npm has written NAME.cmd
        return program.with_suffix(".cmd")
    return _link(folder / "bin" / name, program)


def _link(link: Path, program: Path) -> Path:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(program)
    return link


def npm_install(folder: Path, package: str, environment: Mapping[str, str]) -> Path:
    """Install one package into a folder unless that very version is there; returns its node_modules."""
    modules = folder / "node_modules"
    name, _, version = package.rpartition("@")
    manifest = modules / name / "package.json"
    if manifest.exists() and json.loads(manifest.read_text(encoding="utf-8"))["version"] == version:
        return modules
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    npm = shutil.which("npm", path=environment["PATH"]) or "npm"
    subprocess.run([npm, "install", "--no-audit", "--no-fund", package], cwd=folder, env=environment, check=True)
    return modules


def node_version() -> tuple[int, ...]:
    """Major and minor version of the Node on PATH; nothing when there is none."""
    node = shutil.which("node")
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout if node else ""
    found = re.match(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else ()


if __name__ == "__main__":
    sys.exit(main())
