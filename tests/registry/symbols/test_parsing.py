"""What a scan finds in a file of each language, with grammars that lie in the wheel, and what a write adds."""

import socket

import pytest

from limpet.registry.symbols import parsing
from limpet.registry.symbols.parsing import has_grammar, parse_symbols
from limpet.registry.symbols.symbol import make_symbol
from limpet.registry.symbols.written import find_written, language_of

PYTHON = '''
class Ledger:
    """Keeps the books."""

    def add_line(self, amount):
        def inner():
            return amount
        return inner


async def read_ledger(
    path: str,
) -> Ledger:
    """Read a ledger
    from its file."""
    return Ledger()
'''
TYPESCRIPT = """
/** Formats a price. */
export function formatPrice(amount: number, currency: string): string {
  return `${amount} ${currency}`;
}

export const PriceTag = ({ price }: Props) => {
  const half = () => price / 2;
  return <b>{half()}</b>;
};

export class PriceList {
  // The lowest one.
  findLowest(prices: number[]): number {
    return Math.min(...prices);
  }
}
"""
JAVASCRIPT = """
function joinWords(words) {
  return words.join(" ");
}
const splitWords = function (text) {
  return text.split(" ");
};
"""
GO = """package books

// Sum adds amounts.
func Sum(amounts []int) int {
\treturn 0
}

type Ledger struct {
\tlines []int
}

func (l *Ledger) Add(amount int) {
\tl.lines = append(l.lines, amount)
}
"""
JAVA = """
public class Ledger {
    /** Adds a line. */
    public void addLine(int amount) {
        lines.add(amount);
    }
}
"""
RUST = """
/// Parses a price.
pub fn parse_price(text: &str) -> u32 {
    0
}

pub struct Ledger {
    lines: Vec<u32>,
}

impl Ledger {
    pub fn add_line(&mut self, amount: u32) {
        self.lines.push(amount);
    }
}
"""
SOURCES = {
    "a.py": (
        PYTHON,
        [("Ledger", "class", 2), ("add_line", "method", 5), ("read_ledger", "function", 11)],
        ["Keeps the books.", "", "Read a ledger"],
    ),
    "a.tsx": (
        TYPESCRIPT,
        [
            *[("formatPrice", "function", 3), ("PriceTag", "function", 7), ("PriceList", "class", 12)],
            ("findLowest", "method", 14),
        ],
        ["Formats a price.", "", "", "The lowest one."],
    ),
    "a.js": (JAVASCRIPT, [("joinWords", "function", 2), ("splitWords", "function", 5)], ["", ""]),
    "a.go": (
        GO,
        [("Sum", "function", 4), ("Ledger", "class", 8), ("Add", "method", 12)],
        ["Sum adds amounts.", "", ""],
    ),
    "a.java": (JAVA, [("Ledger", "class", 2), ("addLine", "method", 4)], ["", "Adds a line."]),
    "a.rs": (
        RUST,
        [("parse_price", "function", 3), ("Ledger", "class", 7), ("add_line", "method", 12)],
        ["Parses a price.", "", ""],
    ),
}


def about(symbols):
    return [(each.name, each.kind, each.line) for each in symbols]


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*given):
        raise AssertionError("a scan opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    parsing._parser.cache_clear()


@pytest.mark.parametrize("path", SOURCES)
def test_a_scan_finds_functions_methods_and_classes_without_the_network(path, no_network):
    """Functions within functions are parts of those."""
    text, wanted, purposes = SOURCES[path]
    found = parse_symbols(text.encode(), path, language_of(path))
    assert (about(found), [each.purpose for each in found]) == (wanted, purposes)


@pytest.mark.parametrize("path", SOURCES)
def test_the_hook_reads_the_same_by_the_lines(path):
    text, wanted, _ = SOURCES[path]
    assert about(find_written(text, path)) == wanted


@pytest.mark.parametrize("path", SOURCES)
def test_scan_and_hook_find_the_same_words(path):
    """What is written is compared with what was scanned."""
    text = SOURCES[path][0]
    scanned = parse_symbols(text.encode(), path, language_of(path))
    written = [make_symbol(each) for each in find_written(text, path)]
    assert [{*each.keywords} for each in scanned] == [{*each.keywords} for each in written]
    assert [{*each.body} for each in scanned] == [{*each.body} for each in written]


@pytest.mark.parametrize("raw", [b"def broken(:", b"\0\0", b"\xff\xfe", b"(" * 5000])
def test_a_broken_file_has_no_symbols(raw):
    assert parse_symbols(raw, "a.py", "python") == ()


def test_a_broken_file_of_another_language_has_what_can_be_read():
    found = parse_symbols(b"function whole(a) { return a }\nfunction (", "a.js", "javascript")
    assert "whole" in [each.name for each in found]


def test_without_the_extra_only_python_is_read(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(parsing, "import_module", missing)
    parsing._parser.cache_clear()
    assert [has_grammar(each) for each in ("python", "go")] == [True, False]
    assert parse_symbols(b"func A() {}", "a.go", "go") == ()
    parsing._parser.cache_clear()
