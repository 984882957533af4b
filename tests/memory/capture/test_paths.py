"""Which files a text cites."""

import pytest

from limpet.memory.capture.heard import paths_in


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("See src/app.ts and `lib\\util.py`.", ("src/app.ts", "lib/util.py")),
        ("index.ts, then index.ts again", ("index.ts",)),
        ("We use Next.js and Node.js v18.2, e.g. in tests and/or builds.", ()),
        ("https://example.com/a.py is a page, me@example.py an address", ()),
        ("./a/b.rs:12 and ../c.go", ("./a/b.rs", "../c.go")),
        (
            "See .github/workflows/ci.yml, .gitignore and `web/.eslintrc`.",
            (".github/workflows/ci.yml", ".gitignore", "web/.eslintrc"),
        ),
        ("The branch is .well-known, and so on ...etc", ()),
        ("a file next.config.js", ("next.config.js",)),
    ],
)
def test_files_are_cited_and_technologies_are_not(text, paths):
    """Nor versions, abbreviations, addresses and pages."""
    assert paths_in(text) == paths
