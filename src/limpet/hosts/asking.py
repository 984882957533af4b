"""Asks a model one question by the host's own command: in a folder of its own, silent, and ended in time."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Thread
from typing import IO

from limpet import SILENT
from limpet.ground.errors import LimpetError
from limpet.ground.programs import comes_with, repository_of
from limpet.ground.storage.files import make_folders
from limpet.ground.trust.signed import issue_token
from limpet.ground.workspace import Workspace
from limpet.hosts.commands.lines import end_process
from limpet.hosts.registry import asking_of
from limpet.hosts.surroundings import variables_of_hosts
from limpet.memory.extraction import Answered, ExtractionPrompt

# Bytes that the command may print: more is no answer.
MOST_OUTPUT = 1024 * 1024


def ask_model(
    workspace: Workspace,
    host: str,
    model: str,
    prompt: ExtractionPrompt,
    seconds: float,
    environment: Mapping[str, str],
) -> Answered:
    """Start the command outside the project, where no settings of it hold, with our own hooks silent and without the
    variables by which it would take itself for a part of the conversation that is asked about."""
    asking = asking_of(host)
    # What stands behind the option for a model must not be read as another option.
    if asking is None or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99}", model):
        return Answered(problem=f"{host or 'this host'} cannot ask {model} from a command")
    folder = workspace.cached("asking")
    marks = variables_of_hosts()
    around = {name: value for name, value in environment.items() if name not in marks}
    try:
        program = find_client_program(asking.PROGRAM, asking.VARIABLE, environment, workspace.root)
        make_folders(folder)
        command = (program, *asking.words(model, prompt.instruction))
        around[SILENT] = issue_token(SILENT, time.time() + seconds)
        code, out = _run(command, prompt.text, folder, around, seconds)
    except (LimpetError, OSError) as error:
        return Answered(problem=str(error))
    if code is None:
        return Answered(problem=f"ended after {seconds:g} s, or {MOST_OUTPUT} bytes")
    answered = asking.read_result(out)
    if code and not answered.problem:
        return answered.replace(problem=f"it ended with exit code {code}")
    return answered


def _run(
    command: tuple[str, ...], given: str, folder: str, environment: Mapping[str, str], seconds: float
) -> tuple[int | None, bytes]:
    end = time.monotonic() + seconds
    with TemporaryFile() as spooled:  # a command that reads nothing would hold up who writes into a pipe
        spooled.write(given.encode("utf-8", "replace"))
        spooled.seek(0)
        process = subprocess.Popen(
            command,
            stdin=spooled,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    assert process.stdout
    out: list[bytes] = []
    reader = Thread(target=_read, args=(process.stdout, out), daemon=True)
    reader.start()
    reader.join(seconds)
    try:
        whole = not reader.is_alive() and sum(map(len, out)) <= MOST_OUTPUT
        code = process.wait(max(0.0, end - time.monotonic())) if whole else None
    except subprocess.TimeoutExpired:
        code = None
    end_process(process)
    return code, b"".join(out)


def _read(stream: IO[bytes], out: list[bytes]) -> None:
    left = MOST_OUTPUT + 1
    with suppress(OSError, ValueError):  # it is closed where time is over
        while left > 0 and (part := os.read(stream.fileno(), min(left, 65536))):
            out.append(part)
            left -= len(part)


def find_client_program(program: str, variable: str, environment: Mapping[str, str], root: str) -> str:
    """The environment's ``variable`` may name another one than that on PATH, of which nothing in the project at
    ``root`` counts. Raises LimpetError where there is none."""
    named, around = environment.get(variable) or program, repository_of(root)
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    outside = [folder for folder in folders if not comes_with(os.path.join(folder, program), around)]
    found = shutil.which(named, path=os.pathsep.join(outside))
    if found is None:
        hint = f"add `{program}` to PATH, or set {variable} to its path"
        raise LimpetError("Program not found", named, hint)
    return os.path.abspath(found)
