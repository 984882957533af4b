"""What a candidate cites, and how it is tagged and named."""

import pytest

from holdfast.memory.capture.candidate import body_of, paths_in, tags_of, title_of


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("See src/app.ts and `lib\\util.py`.", ("src/app.ts", "lib/util.py")),
        ("index.ts, then index.ts again", ("index.ts",)),
        ("We use Next.js and Node.js v18.2, e.g. in tests and/or builds.", ()),
        ("https://example.com/a.py is a page, me@example.py an address", ()),
        ("./a/b.rs:12 and ../c.go", ("./a/b.rs", "../c.go")),
        ("a file next.config.js", ("next.config.js",)),
    ],
)
def test_files_are_cited_and_technologies_are_not(text, paths):
    """Nor versions, abbreviations, addresses and pages."""
    assert paths_in(text) == paths


def test_tags_are_the_first_words_that_say_something():
    """In any of the languages, without accents."""
    assert tags_of("Vamos usar o Postgres para a autenticação da API") == ("postgres", "autenticacao", "api")


def test_a_title_is_one_line_of_at_most_120_characters():
    """Cut with an ellipsis, its full stop left out."""
    assert title_of("Use\n tabs. ") == "Use tabs"
    assert len(title_of("word " * 50)) <= 120


def test_without_words_around_it_there_is_no_context():
    """An empty heading says nothing."""
    assert body_of("Use tabs.", [("user", "")]) == "Use tabs."
