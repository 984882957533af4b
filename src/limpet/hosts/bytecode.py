"""Makes and checks the package's bytecode and the hook's bundle, without which each prompt waits for a compilation."""

from __future__ import annotations

import compileall
import importlib.util
import os
import subprocess
from contextlib import suppress

from limpet.ground.process import own_command
from limpet.hosts.commands.interpreter import PACKAGE_ROOT
from limpet.hosts.doctor.checks import INIT, OK, WARN, Check

# Seconds that making the bundle may take.
PATIENCE = 30


def compile_package() -> None:
    """Write the package's bytecode where it is missing and may be written, and the hook's bundle."""
    compileall.compile_dir(os.path.join(PACKAGE_ROOT, "limpet"), quiet=2)
    command = own_command("limpet.ground.prompt_path.bundling")
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, timeout=PATIENCE, capture_output=True)


def check_bytecode() -> Check:
    """Return the check that each module has bytecode for this interpreter."""
    package = os.path.join(PACKAGE_ROOT, "limpet")
    names = (os.path.join(folder, name) for folder, _, files in os.walk(package) for name in files)
    modules = (name for name in names if name.endswith(".py"))
    missing = [path for path in modules if not os.path.exists(importlib.util.cache_from_source(path))]
    if not missing:
        return Check(OK, "Hook cache is up to date")
    writable = all(os.access(os.path.dirname(path), os.W_OK) for path in missing)
    hint = INIT if writable else "install Limpet into a writable folder, or with bytecode (as pip does)"
    return Check(WARN, f"{len(missing)} modules without bytecode: each prompt compiles them again", hint)
