"""Writes the launcher, and keeps it at a living installation. Separate from ``launcher``, which writes nothing, and
from ``installation``, whose plans every command would have to import. Every command imports this module: what only some
need of it is imported late."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from limpet.ground.clock import local_minute
from limpet.ground.errors import LimpetError
from limpet.ground.own_name import shells_path
from limpet.ground.processes import own_command
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import remove_file
from limpet.hosts.commands.launcher import (
    EXECUTABLE,
    MISSING,
    PACKAGE_ROOT,
    command_files,
    command_works,
    here,
    launcher_files,
    launcher_path,
    read_launcher,
    refuse_throwaway_installation,
)
from limpet.hosts.records import all_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.checks import Check


def write_launcher() -> None:
    """Raise LimpetError for an installation that will not stay, and OSError."""
    refuse_throwaway_installation(beside=launcher_path())
    _write(launcher_files(here()))
    remove_file(shells_path())  # what shells found was another installation


def mend_launcher() -> None:
    """Point a launcher that leads nowhere at the installation that runs, where something was installed on this machine.
    For every command: it costs one small file and some looks at the disk where all is well, and never says a word."""
    with suppress(LimpetError, OSError):
        if not launcher_works() and all_records():
            write_launcher()
        target = read_launcher(launcher_path()) if launcher_works() else None
        if target and not command_works(target):
            _write(command_files(target))
        if target:
            note_return()


# Seconds: less is a moment between two installations.
LEAST_MISSING = 60


def note_return() -> None:
    """Leave a line for the person's next message where a status line found no Limpet, which now runs. Raise OSError
    where the mark cannot be removed: then it would be told again."""
    mark = launcher_path() + MISSING
    if os.path.lexists(mark):
        since, now = os.lstat(mark).st_mtime, time.time()
        os.unlink(mark)
        if now - since < LEAST_MISSING:
            return
        began, ended = map(local_minute, (since, now))
        lost = "prompts in that time got no rules or memories"
        from limpet.ground.trust.approvals import leave_line  # rarely there is something to say

        leave_line(f"Limpet is back. On this machine it was missing from {began} to {ended} (about): {lost}.")


def launcher_works() -> bool:
    path = launcher_path()
    target = read_launcher(path)
    return target is not None and os.access(path, os.X_OK) and target.is_alive()


def _write(files: dict[str, bytes]) -> None:
    for path, raw in files.items():
        write_durably(path, raw, EXECUTABLE)
        os.chmod(path, EXECUTABLE)


def compile_installation() -> None:
    """Compile what every project of this user needs: the package, and the plan of the shipped rules."""
    from limpet.rules.plan.making import compile_shipped

    compile_package()
    compile_shipped()


def compile_package() -> None:
    """Write the package's bytecode where it is missing and may be written, and the hook's bundle."""
    import compileall
    import subprocess

    compileall.compile_dir(os.path.join(PACKAGE_ROOT, "limpet"), quiet=2)
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(own_command("limpet.ground.bundling"), timeout=30, capture_output=True)


def check_bytecode() -> Check:
    from importlib.util import cache_from_source

    from limpet.hosts.checks import INIT, OK, WARN, Check

    package = os.path.join(PACKAGE_ROOT, "limpet")
    missing = []
    for folder, _, names in os.walk(package):
        modules = [os.path.join(folder, name) for name in names if name.endswith(".py")]
        missing += [path for path in modules if not os.path.exists(cache_from_source(path))]
    if not missing:
        return Check(OK, "Hook cache is up to date")
    writable = all(os.access(os.path.dirname(path), os.W_OK) for path in missing)
    hint = INIT if writable else "install Limpet into a writable folder, or with bytecode (as pip does)"
    return Check(WARN, f"{len(missing)} modules without bytecode: each prompt compiles them again", hint)
