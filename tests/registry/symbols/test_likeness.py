"""What counts as written again."""

import pytest

from limpet.ground.storage.files import write_atomic
from limpet.registry.symbols.index import pack_index
from limpet.registry.symbols.likeness import find_known
from limpet.registry.symbols.parsing import parse_symbols
from limpet.registry.symbols.table import SymbolIndex, open_table

THERE = '''
import re


def camel_to_snake(name):
    """Turn a name in camel case into one in snake case."""
    pieces = re.findall("[A-Z][a-z]+", name)
    return "_".join(piece.lower() for piece in pieces)


def rotate_log(path, keep=5):
    """Rename a log file and its older numbered copies, and remove the oldest."""
    for number in range(keep, 0, -1):
        os.replace(f"{path}.{number}", f"{path}.{number + 1}")


def count_lines(path):
    """Count the lines of a file."""
    with open(path) as lines:
        return sum(1 for line in lines)


class LineReader:
    """Reads lines from several files as if they were one."""

    def read_line(self):
        return self.files[0].readline()
'''
OTHER_NAME = '''
def underscored(name):
    """Turn a camel case name into snake case."""
    pieces = re.findall("[A-Z][a-z]*", name)
    return "_".join(map(str.lower, pieces))
'''
OTHER_WORDS = '''
def rotate_log(target, copies):
    """Shift backups up by one."""
    shift(target, copies)
'''
SIBLING = '''
def count_words(text):
    """Count how often each word occurs in a text."""
    return Counter(text.split())
'''
AS_CLASS = '''
class CountLines:
    """Count the lines of a file."""

    path = None
'''
METHOD = '''
class Report:
    """A report of sales for a month."""

    def count_lines(self, path):
        with open(path) as lines:
            return sum(1 for line in lines)
'''
TEST = THERE.replace("def ", "def test_").replace("class ", "class Test")


@pytest.fixture
def told(tmp_path):
    def tell(text, path="new.py", there=THERE, now=None, before=""):
        symbols = parse_symbols(there.encode(), "old.py", "python")
        write_atomic(str(tmp_path / "symbols"), pack_index(SymbolIndex("a", (), symbols)))
        table = open_table(str(tmp_path))
        source = there if now is None else now
        return [match.symbol.name for match in find_known(text, before, path, table, lambda place: source)]

    return tell


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (OTHER_NAME, ["camel_to_snake"]),
        (OTHER_WORDS, ["rotate_log"]),
        (SIBLING, []),
        (AS_CLASS, []),
        (METHOD, []),
        (TEST, []),
        ("", []),
        ("def broken(:\n", []),
    ],
)
def test_words_of_signature_documentation_and_code_tell(told, text, wanted):
    """A function is no class, and methods and tests bear the names of others by design."""
    assert told(text) == wanted


def test_its_own_file_what_is_gone_and_what_was_there_before_are_not_told(told):
    assert told(OTHER_NAME, path="old.py") == []
    assert told(OTHER_NAME, now="def other():\n    pass\n") == []
    assert told(OTHER_NAME, before=OTHER_NAME) == []


def test_a_file_that_is_moved_is_not_told(told):
    """All that it holds lies in one file; two of its functions are a copy."""
    functions = THERE.partition("class ")[0]
    assert told(functions) == []
    assert sorted(told(functions.partition("def count_lines")[0])) == ["camel_to_snake", "rotate_log"]


def test_a_name_that_many_bear_says_nothing(told):
    """As ``create`` in each module."""
    create = 'def create(options):\n    """Create it."""\n    return Thing(options)\n'
    assert told(create, there=create) == ["create"]
    assert told(create, there=create * 3) == []
