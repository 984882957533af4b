"""Makes the bundle from which the hook takes its modules (``ground.bundle``). Apart from it, because the hook only ever
reads: a second process of its own, so that what it has imported is what a prompt imports."""

from __future__ import annotations

import marshal
import os
import sys
import time
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from holdfast.ground.prompt_path.bundle import INTERPRETER, PACKAGE, bundle_path
from holdfast.ground.storage.files import write_atomic

# What a prompt imports, with memories to look for and a star-command to follow; the rest comes along.
ENTRIES = (
    "holdfast.hosts.claude_code.events",
    "holdfast.ground.clock",
    "holdfast.ground.workspace",
    "holdfast.engine",
    "holdfast.engine.steps.block",
    "holdfast.engine.steps.commands",
    "holdfast.engine.steps.continuation",
    "holdfast.engine.steps.epoch",
    "holdfast.engine.steps.recovery",
    "holdfast.engine.steps.state",
    "holdfast.engine.steps.window",
    "holdfast.engine.block.recall",
    "holdfast.engine.commands.star",
    "holdfast.memory.index.reading",
    "holdfast.memory.search.search",
)
# Modules that are loaded before the bundle is, and this one.
OTHERS = ("holdfast", "holdfast.ground", "holdfast.ground.prompt_path", "holdfast.ground.prompt_path.bundle", __name__)
# A file that was written so many seconds ago may be written again within the same tick of its clock.
YOUNG = 2.0


def main(*_: str) -> None:
    """Make the bundle; where that cannot be done, Python's own cache serves."""
    with suppress(OSError, ImportError):
        for name in ENTRIES:
            import_module(name)
        write_bundle()


def write_bundle() -> None:
    """Write what this process has imported of the package. Raises OSError."""
    ours = {name: module for name, module in sorted(sys.modules.items()) if name.startswith("holdfast.")}
    modules = {name: _describe(module) for name, module in ours.items() if name not in OTHERS}
    if all(found is not None for found in modules.values()):
        write_atomic(bundle_path(), marshal.dumps((INTERPRETER, modules)), mode=0o644, follow=False)


def _describe(module: ModuleType) -> tuple[str, int, int, bool, object] | None:
    """As ``ground.bundle`` reads it; the stamp is taken first, so that an edit meanwhile makes the bundle useless, and
    not wrong. None for a source that was just written."""
    spec = module.__spec__
    assert spec and spec.origin and spec.loader
    about = os.stat(spec.origin)
    if time.time() - about.st_mtime < YOUNG:
        return None
    code = spec.loader.get_code(module.__name__)  # type: ignore[attr-defined]
    is_package = spec.submodule_search_locations is not None
    return os.path.relpath(spec.origin, PACKAGE), about.st_mtime_ns, about.st_size, is_package, code
