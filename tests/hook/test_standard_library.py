"""What the hook imports of the standard library in its own way serves as the library's own does."""

import subprocess
import sys

import pytest

from ..test_imports import SOURCE

BEGIN = "import sys; sys.path.append(sys.argv[1]); from holdfast import hook; import os\n"


def run_bare(code):
    """What the code prints in a bare process that has imported the hook."""
    command = [sys.executable, "-I", "-S", "-c", BEGIN + code, SOURCE]
    done = subprocess.run(command, capture_output=True, text=True, env={"FOUND": "yes", "PATH": ""})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_os_is_imported_without_the_abstract_classes():
    assert run_bare("print('_collections_abc' in sys.modules)") == "False"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("os.environ['FOUND'], os.environ.get('FOUND'), os.environ.get('LOST', 3)", "yes yes 3"),
        ("'FOUND' in os.environ, 'LOST' in os.environ, 'FOUND' in os.environ.keys()", "True False True"),
        ("dict(os.environ)['FOUND'], {**os.environ}['FOUND'], dict(os.environ.items())['FOUND']", "yes yes yes"),
        ("os.path.expanduser('~/x') != '', isinstance('x', os.PathLike)", "True False"),
    ],
)
def test_the_environment_is_read_as_usual(expression, value):
    assert run_bare(f"print({expression})") == value


def test_who_needs_the_abstract_classes_later_gets_them():
    code = "from collections.abc import Mapping; import pathlib, subprocess\nprint(isinstance({}, Mapping), "
    assert run_bare(f"{code}isinstance(pathlib.Path('x'), os.PathLike))") == "True True"


def test_a_started_process_has_the_environment():
    code = "import subprocess\nwords = [sys.executable, '-I', '-S', '-c', 'import os; print(os.environ[chr(88)])']\n"
    assert (
        run_bare(f"{code}os.environ['X'] = 'set'\nprint(subprocess.run(words, stdout=-1, text=True).stdout)") == "set"
    )


def test_a_library_that_wants_more_of_them_gets_the_real_ones():
    """As another Python's ``os`` may."""
    code = "del sys.modules['os']\nreal = type(sys)\n" + (
        "class Poor(real):\n    def __getattribute__(self, name):\n"
        "        if name == 'MutableMapping': raise AttributeError(name)\n"
        "        return super().__getattribute__(name)\n"
        "hook.type = lambda found: Poor if found is sys else type(found)\n"
        "print(hook._import_os().environ['FOUND'], '_collections_abc' in sys.modules)"
    )
    assert run_bare(code) == "yes True"
