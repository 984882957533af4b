"""The hook's modules from one file for each of its ways, beside Python's own cache of bytecode, on which it falls back.
It does without ``__future__``, as the hook does."""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

    # A module's source below the package's folder, that file's modification time in ns and its size, whether it is
    # a package, and its bytecode: where it lies behind the head (offset and length) if only some events need it, None
    # for a package that holds no code.
    Module = tuple[str, int, int, bool, CodeType | tuple[int, int] | None]
    Modules = dict[str, Module]
else:
    ModuleSpec = type(__spec__)

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The ways of the hook: every event, but that before a tool call, which needs a few of the modules.
PROMPT, TOOL = "hook", "tool"
# Bytecode is of one interpreter, down to its release.
INTERPRETER = (3, sys.version, sys.implementation.cache_tag)
# Bytes at the beginning of the file that tell the length of its head: what is read for every event.
HEAD = 8


class Finder:
    """Its modules are those whose source is as it was bundled."""

    def __init__(self, modules: "Modules", file: int, begin: int) -> None:
        self.modules = modules
        self.file, self.begin = file, begin
        self.is_current = True

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """None for a module that is not in the bundle, which keeps nothing of what is imported: that is memory which a
        prompt can use again."""
        found = self.modules.pop(name, None)
        if found is None:
            return None
        if not is_unchanged(found):
            self.is_current = False
            return None
        source, _, _, is_package, code = found
        spec = ModuleSpec(name, self, origin=PACKAGE + os.sep + source, loader_state=code)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = [os.path.join(PACKAGE, os.path.dirname(source))]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None: ...

    def exec_module(self, module: "ModuleType") -> None:
        spec = module.__spec__
        assert spec
        module.__file__ = spec.origin
        code, spec.loader_state = spec.loader_state, None
        if isinstance(code, tuple):
            offset, length = code
            os.lseek(self.file, self.begin + offset, os.SEEK_SET)
            code = marshal.loads(os.read(self.file, length))
        exec(code, module.__dict__)


def bundle_path(way: str = PROMPT) -> str:
    return os.path.join(PACKAGE, "__pycache__", f"{way}.{sys.implementation.cache_tag}.bundle")


def is_due() -> bool:
    finder = next((each for each in sys.meta_path if isinstance(each, Finder)), None)
    if finder and finder.is_current and all(map(is_unchanged, finder.modules.values())):
        return False
    return os.access(os.path.dirname(bundle_path()), os.W_OK) or os.access(PACKAGE, os.W_OK)


# Without it a prompt takes 18 % longer (7 ms), one that finds memories 21 % (10 ms): bench/prompt_path.py.
def use_bundle(way: str = PROMPT) -> None:
    try:
        file = os.open(bundle_path(way), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        length = int.from_bytes(os.read(file, HEAD), "little")
        interpreter, modules = marshal.loads(os.read(file, length))
        if interpreter == INTERPRETER:
            finder = Finder(modules, file, HEAD + length)
            _add_packages(finder)
            sys.meta_path.insert(0, finder)
    except Exception:  # marshal raises many kinds of errors, and nothing is lost without it
        return


def is_unchanged(module: "Module") -> bool:
    try:
        # Plain text, because os.path.join is called for every module of every prompt.
        about = os.stat(PACKAGE + os.sep + module[0])
    except OSError:
        return False
    return (about.st_mtime_ns, about.st_size) == module[1:3]


def _add_packages(finder: Finder) -> None:
    """Most rooms are a package without code, and importing it takes as long as a small module."""
    for name, module in tuple(finder.modules.items()):
        if module[4] is None and (spec := finder.find_spec(name)):
            package = type(sys)(name)
            package.__spec__, package.__path__ = spec, spec.submodule_search_locations or []
            sys.modules[name] = package
