"""What instruction files hold: prose, globs, commands."""

import pytest

from holdfast.rules.adoption import read_commands, read_prose

FILE = """# Contributing

This is a web shop.
It was begun in 2019.

- **Never** edit a migration that was merged;
  write a new one
- Migrations:
  1. Use [the guide](docs/db.md)

```sql
- Always drop tables first
```

| Use | this table |
|---|---|

<!-- Never read
this comment -->
> Always ignore quotations
"""


def test_items_and_paragraphs_are_read_on_one_line_each():
    """Without code, tables, comments and quotations, and without what only leads up to others."""
    prose = read_prose(FILE)
    assert [(one.line, one.text) for one in prose.passages] == [
        (3, "This is a web shop. It was begun in 2019."),
        (6, "Never edit a migration that was merged; write a new one"),
        (9, "Use the guide"),
    ]
    assert not prose.is_whole and read_prose("# A\n\nOne.\n").is_whole


@pytest.mark.parametrize(
    ("front", "globs"),
    [
        ("globs: src/**/*.{ts,tsx}, *.vue", ("src/**/*.ts", "src/**/*.tsx", "*.vue")),
        ('globs: ["a/*.py", "b/[id]/*.py"]', ("a/*.py", "b/[id]/*.py")),
        ('paths:\n  - "src/api/**"\n  - lib/**\nother: x', ("src/api/**", "lib/**")),
        ('applyTo: "**/*.py,**/*.pyi"', ("**/*.py", "**/*.pyi")),
        ("globs:\nalwaysApply: true", ()),
    ],
)
def test_globs_are_read_from_the_front_matter_of_every_client(front, globs):
    """A list in a line or in several; braces are resolved."""
    prose = read_prose(f"---\ndescription: x\n{front}\n---\n- Be kind\n")
    assert prose.globs == globs
    assert [one.text for one in prose.passages] == ["Be kind"]


@pytest.mark.parametrize(
    ("sentence", "commands"),
    [
        ("Run `ruff check .` before committing.", ["ruff check ."]),
        ("Before you open a pull request, run `make lint`, `make types` and then `make test`", 3),
        ("Always run `./scripts/ci.sh --fast` after every change", ["./scripts/ci.sh --fast"]),
        ("`cargo fmt --check` and `cargo test` must pass.", ["cargo fmt --check", "cargo test"]),
        ("Quando acabar, rode `npm test` antes de abrir o PR", ["npm test"]),
        ("When you are done, run `just check`.", ["just check"]),
        ("`npm run lint` before each commit", ["npm run lint"]),
        ("Before pushing: `make lint` and `./scripts/ci.sh`", ["make lint", "./scripts/ci.sh"]),
        ("Use `npx tsc --noEmit` after every change", ["npx tsc --noEmit"]),
        ("Merge it to `master` before pushing to `prod`.", []),
        ("`git status` before committing; others edit too", []),
        ("Test locally by running `npm start` before pushing", []),
        ("Run `npx prettier --check` before committing.", []),
        ("Run `npx prettier --check .` before committing.", ["npx prettier --check ."]),
        ("Run `gofmt -l .` before committing.", []),
        ("Before considering the task complete, run `./mvnw clean test`.", ["./mvnw clean test"]),
        ("Run `.venv/bin/pytest -q` before committing.", [".venv/bin/pytest -q"]),
        ("Run `.github/check.sh` before committing.", [".github/check.sh"]),
        ("Use `/review` before committing or opening a PR.", []),
        ("Run `npm run dev` to start the server.", []),
        ("Update `CHANGELOG.md` before committing.", []),
        ("Run `pytest tests/<name>` before committing.", []),
        ("Run the linter before committing.", []),
        ("`schema.sql` must pass", []),
    ],
)
def test_commands_are_read_where_they_are_to_be_run_before_the_work_counts_as_done(sentence, commands):
    """Exactly as code spans have them."""
    found = read_commands(sentence)
    assert found == commands or len(found) == commands
