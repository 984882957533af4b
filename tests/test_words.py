"""``tools/words.py`` finds what a person or a model reads, and leaves out what only programs read."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SOURCE = '''
"""A docstring that nobody sees."""

TABLE = "SELECT title FROM memory"
PATTERN = re.compile("no such (file|folder)")
HINT = f"look at {path} first"

class Lost(LimpetError):
    """A docstring too."""

def find(name: "an annotation here") -> None:
    raise Lost("no planted message", name, "run it again")
'''


@pytest.fixture(scope="module")
def words():
    """The module ``tools/words.py``."""
    spec = importlib.util.spec_from_file_location("words", ROOT / "tools" / "words.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["words"] = module
    spec.loader.exec_module(module)
    return module


def test_a_message_of_a_derived_error_is_one_text_with_its_place_and_hint(words):
    """Errors are known by their base class, and docstrings, SQL, patterns and annotations are no texts."""
    tree = ast.parse(SOURCE)
    assert sorted(words.sentences(tree, words.error_names([tree]))) == [
        ("errors", 12, "no planted message | {name} | run it again"),
        ("results", 6, "look at {path} first"),
    ]


def test_messages_are_sentences_and_what_programs_read_are_none(words):
    """A message also with a value in it."""
    code = ("session_start", "a", "--dry-run", "application/json", "SELECT id FROM memory", r"\s+is")
    assert not any(map(words.is_sentence, code))
    assert all(map(words.is_sentence, ("No memories match.", "{key} is not a gotcha", "nothing to undo")))


def test_a_planted_message_of_every_kind_is_found(words, tmp_path):
    """Rules, texts, settings and pages are collected with their lines."""
    framework = tmp_path / "src" / "limpet" / "framework"
    for folder in ("rules", "texts", "schemas"):
        (framework / folder).mkdir(parents=True)
    (framework / "rules" / "qa").write_text("# Comment.\nQA_RULE_0=A planted rule.\n", "utf-8")
    (framework / "texts" / "en.yaml").write_text("lock:\n  active: A planted text.\n", "utf-8")
    (framework / "schemas" / "one.json").write_text(
        '{"properties": {"a": {"description": "A planted setting"}}}', "utf-8"
    )
    (tmp_path / "src" / "limpet" / "one.py").write_text('print(f"a planted {result}")\n', "utf-8")
    (tmp_path / "README.md").write_text("# Title\n\n```\nno text\n```\n\nA planted\nparagraph.\n", "utf-8")
    found = {(each.kind, each.path.rpartition("/")[2], each.line, each.text) for each in words.collect(tmp_path)}
    assert found >= {
        ("rules", "qa", 2, "QA_RULE_0=A planted rule."),
        ("rules", "en.yaml", 2, "A planted text."),
        ("settings", "one.json", 1, "a: A planted setting"),
        ("results", "one.py", 1, "a planted {result}"),
        ("docs", "README.md", 7, "A planted paragraph."),
    }


def test_help_of_commands_and_options_is_collected(words):
    """Help comes from the commands themselves."""
    texts = [each.text for each in words.help_texts(ROOT)]
    assert any(text.startswith("limpet init: ") for text in texts)
    assert any(text.startswith("limpet init --dry-run: ") for text in texts)


def test_only_suspects_are_listed_when_asked_for(words, tmp_path, capsys):
    """The reading aid leaves out what reads well, and says how many texts there are."""
    out = tmp_path / "words.txt"
    words.main(["--only", "rules", str(out)])
    words.main(["--only", "rules", "--suspects"])
    written, suspects = out.read_text("utf-8").splitlines(), capsys.readouterr().out.splitlines()
    assert "texts" in suspects[0]
    assert 0 < len(suspects) < len(written)
    assert set(suspects[1:]) <= set(written)
