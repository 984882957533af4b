"""Loads a program of ``bench/``, which is no part of the package, as a module."""

import importlib.util
import sys
from contextlib import contextmanager
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench"


@contextmanager
def bench_module(name):
    """The module; what it imports beside itself goes with it."""
    path, known = list(sys.path), set(sys.modules)
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path
    for each in set(sys.modules) - known:
        if str(getattr(sys.modules[each], "__file__", None) or "").startswith(str(BENCH)):
            del sys.modules[each]
