"""The hook's modules from one file for each of its ways, beside Python's own cache of bytecode, on which it falls back.

It does without ``__future__``, as the hook does.
"""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

    # A module's source below the package's folder, that file's modification time in ns and its size, whether it is
    # a package, and its bytecode: packed by marshal where few prompts need it, None for a package that holds no code.
    Module = tuple[str, int, int, bool, CodeType | bytes | None]
    Modules = dict[str, Module]
else:
    ModuleSpec = type(__spec__)

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The ways of the hook: every event, but that before a tool call, which needs a few of the modules.
PROMPT, TOOL = "hook", "tool"
# Bytecode is of one interpreter, down to its release.
INTERPRETER = (2, sys.version, sys.implementation.cache_tag)


class Finder:
    """Finds the bundle's modules for ``import``, and loads them."""

    def __init__(self, modules: "Modules") -> None:
        self.modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Return the spec of a module in the bundle, None for any other. The bundle keeps nothing of what is imported:
        that is memory which a prompt can use again."""
        found = self.modules.pop(name, None)
        if found is None:
            return None
        source, _, _, is_package, code = found
        spec = ModuleSpec(name, self, origin=PACKAGE + os.sep + source, loader_state=code)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = [os.path.join(PACKAGE, os.path.dirname(source))]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """Return None: the import system makes the usual module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run the module's bytecode."""
        spec = module.__spec__
        assert spec
        module.__file__ = spec.origin
        code, spec.loader_state = spec.loader_state, None
        exec(marshal.loads(code) if isinstance(code, bytes) else code, module.__dict__)


def bundle_path(way: str = PROMPT) -> str:
    """Return the path of this interpreter's bundle for a way of the hook."""
    return os.path.join(PACKAGE, "__pycache__", f"{way}.{sys.implementation.cache_tag}.bundle")


def may_be_made() -> bool:
    """Return whether this user may write the bundle."""
    return os.access(os.path.dirname(bundle_path()), os.W_OK) or os.access(PACKAGE, os.W_OK)


# Without it a prompt takes 18 % longer (7 ms), one that finds memories 21 % (10 ms): bench/prompt_path.py.
def use_bundle(way: str = PROMPT) -> bool:
    """Import modules from the bundle, if there is one and no source has changed since. Return whether it is used."""
    try:
        with open(bundle_path(way), "rb", buffering=0) as file:
            interpreter, modules = marshal.loads(file.readall())
        usable = interpreter == INTERPRETER and all(map(_is_unchanged, modules.values()))
    except Exception:  # marshal raises many kinds of errors, and nothing is lost without it
        return False
    if usable:
        finder = Finder(modules)
        _add_packages(finder)
        sys.meta_path.insert(0, finder)
        _add_modules(finder)
    return usable


def _add_packages(finder: Finder) -> None:
    """Add the packages without code. Most rooms are one, and importing it takes as long as a small module."""
    for name, module in tuple(finder.modules.items()):
        if module[4] is None:
            spec = finder.find_spec(name)
            assert spec
            package = type(sys)(name)
            package.__spec__, package.__path__ = spec, spec.submodule_search_locations or []
            sys.modules[name] = package


# Without it a prompt takes 4 % longer: bench/prompt_path.py.
def _add_modules(finder: Finder) -> None:
    """Run the modules that every prompt needs, in an order in which each finds what it imports, so that ``import`` has
    nothing left to do. Those from one that fails here on are left to ``import``, and it fails there again."""
    every = finder.modules.items()
    names = [name for name, found in every if not isinstance(found[4], bytes) and name not in sys.modules]
    for name in names:
        source, _, _, is_package, _ = finder.modules[name]
        module = sys.modules[name] = type(sys)(name)
        module.__file__ = PACKAGE + os.sep + source
        module.__loader__ = finder  # type: ignore[assignment]
        if is_package:
            module.__path__ = [os.path.dirname(module.__file__)]
    for at, name in enumerate(names):
        module, found = sys.modules[name], finder.modules.pop(name)
        try:
            exec(found[4], module.__dict__)  # type: ignore[arg-type]
        except Exception:
            finder.modules[name] = found
            for left in names[at:]:
                del sys.modules[left]
            return
        parent, _, own = name.rpartition(".")
        setattr(sys.modules[parent], own, module)


def _is_unchanged(module: "Module") -> bool:
    # Plain text, because os.path.join is called for every module of every prompt.
    about = os.stat(PACKAGE + os.sep + module[0])
    return (about.st_mtime_ns, about.st_size) == module[1:3]
