"""What instruction files say: lists and paragraphs, each with what it stands below."""

import pytest

from limpet.rules.passages import forbids, read_commands, read_prose

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
    assert [(one.line, one.whole) for one in prose.passages] == [
        (3, "This is a web shop. It was begun in 2019."),
        (6, "It was begun in 2019: Never edit a migration that was merged; write a new one"),
        (9, "It was begun in 2019: Migrations: Use the guide"),
    ]
    assert not prose.is_whole and read_prose("# A\n\nOne.\n").is_whole


@pytest.mark.parametrize(
    ("front", "globs"),
    [
        ("globs: src/**/*.{ts,tsx}, *.vue", ("src/**/*.ts", "src/**/*.tsx", "*.vue")),
        ('globs: ["a/*.py", "b/[id]/*.py"]', ("a/*.py", "b/[id]/*.py")),
        ('paths:\n  - "src/api/**"\n  - lib/**\nother: x', ("src/api/**", "lib/**")),
        ('applyTo: "**/*.py,**/*.pyi"', ("**/*.py", "**/*.pyi")),
        ("globs: '**.feature,a/**Test/**,src/**'", ("**/*.feature", "a/**/*Test/**", "src/**")),
        ("globs:\nalwaysApply: true", ()),
    ],
)
def test_globs_are_read_from_the_front_matter_of_every_client(front, globs):
    """A list in a line or in several; braces are resolved."""
    prose = read_prose(f"---\ndescription: x\n{front}\n---\n- Be kind\n")
    assert prose.globs == globs
    assert [one.text for one in prose.passages] == ["Be kind"]


def said(text):
    return [one.whole for one in read_prose(text).passages]


@pytest.mark.parametrize(
    "text",
    [
        "## Never\n\n- Push to main\n",
        "# Rules\n\n# Never\n\n- Push to main\n",
        "# Never\n\n- Push to main\n",
        "## **Never**:\nPush to main\n",
        "Never\n-----\n- Push to main\n",
        "**Never**\n\n- Push to main\n",
        "\u274c **Never:**\n\n- Push to main\n",
        "Never:\n- Push to main\n",
        "**Never**:\n\n* Push to main\n",
        "Never\uff1a\n\n1. Push to main\n",
        "Never\n- Push to main\n",
        "- Never\n  - Push to main\n",
        "- Never:\n\n    Push to main\n",
        "> Never:\n\n- Push to main\n",
        "<never>\n- Push to main\n</never>\n",
        "<h3>Never</h3>\n\n- Push to main\n",
        "<summary>Never</summary>\n\n- Push to main\n",
    ],
)
def test_a_line_keeps_what_it_stands_below(text):
    """Whatever marks it: a heading, bold, a colon, an item, a tag."""
    assert said(text)[-1].lower() == "never: push to main"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("## Avoid\n\n- a b\n\n## Prefer\n\n- c d\n", ["Avoid: a b", "Prefer: c d"]),
        ("## Style\n### Anti-patterns\n- a b\n", ["Style: Anti-patterns: a b"]),
        ("## Don't\n- a b\n# Do\n- c d\n", ["Don't: a b", "c d"]),
        ("Never do these:\n\n- a b\n\n- c d\n\nSo it is.\n\n- e f\n", ["Never do these: a b", "Never do these: c d"]),
        ("Two of these are forbidden.\n\n- a b\n", ["Two of these are forbidden.", "Two of these are forbidden: a b"]),
        ("- Never:\n  1. a b\n     - c d\n- e f g\n", ["Never: a b", "Never: a b: c d", "e f g"]),
        (
            "1. One two three\n\n   More of it\n2. Four five\n",
            ["One two three", "One two three: More of it", "Four five"],
        ),
        ("<anti_patterns>\n- a b\n</anti_patterns>\n\n- c d\n", ["anti patterns: a b", "c d"]),
        ("<div>\n\n- a b\n</div>\n", ["a b"]),
        ("Do | Don't\n---|---\na b | c d\n\n- e f\n", ["e f"]),
        ("| Do | Don't |\n|---|---|\n| a b | c d |\n", []),
        ("- ~~a b~~\n- c d\n", ["c d"]),
        ("ONLY when:\n- a b\n", ["ONLY when: a b"]),
    ],
)
def test_a_lead_holds_as_far_as_its_list(text, whole):
    """And a heading as far as its section."""
    assert said(text)[: len(whole)] == whole and (whole or not said(text))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Detta g\u00f6rs inte.\n\n- Push to main\n", "Detta g\u00f6rs inte: Push to main"),
        ("Tohle ned\u011bl\u00e1me\n\n- Push to main\n", "Tohle ned\u011bl\u00e1me: Push to main"),
        ("Never do these:\n\n- a b\n\nSo it is.\n\n- e f\n", "So it is: e f"),
        ("Never:\n\nPush to main\n", "Never: Push to main"),
        ("One.\n\n> Never:\n\n- Push to main\n", "Never: Push to main"),
    ],
)
def test_what_stands_before_leads_in_any_language(text, whole):
    """Whether it is understood or not."""
    assert said(text)[-1] == whole


@pytest.mark.parametrize(
    ("title", "name", "whole"),
    [("Zak\u00e1zan\u00e9", "db", "Zak\u00e1zan\u00e9: Push to main"), ("Web forms", "web-forms", "Push to main")],
)
def test_a_title_leads_the_lines_of_a_file_about_files(title, name, whole):
    """Unless it says no more than the file's name."""
    text = f"---\nglobs: a/**\n---\n# {title}\n\n- Push to main\n\n## Never\n\n- Pull\n"
    assert read_prose(text, name).passages[0].whole == whole


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("## Bad\n\nLike this:\n```\nx\n```\n- No error handling\n- Any types\n\n## Good\n\n- a b\n", [7, 8]),
        ("# Colours\n\n- Pink\n- \u7c89\u8272\n- \u4f7f\u7528\u7c89\u8272\n", [3, 4]),
    ],
)
def test_what_says_too_little_by_itself_stays_in_the_file(text, stays):
    prose = read_prose(text)
    assert [line for line, _ in prose.stays] == stays and len(prose.passages) == 1


def test_what_stands_in_code_is_no_emphasis():
    """Nor within a name."""
    text = "- **Use** `src/**` and mcp__docs__read, __always__ in `__init__.py`\n"
    assert said(text) == ["Use `src/**` and mcp__docs__read, always in `__init__.py`"]


def test_the_logs_of_another_tool_are_no_rules():
    text = (
        "- a b\n\n<claude-mem-context>\n# Recent\n\n- Run `make x` before committing\n</claude-mem-context>\n\n- c d\n"
    )
    assert said(text) == ["a b", "c d"]


@pytest.mark.parametrize(
    "text",
    [
        *("Don\u2019ts", "Avoid", "Anti-patterns", "Bad examples", "Never Use", "FORBIDDEN For", "Nunca", "No hacer"),
        *("N\u00e3o fa\u00e7a", "\u00c0 \u00e9viter", "Ne pas faire", "Verboten", "Nicht tun", "\u274c"),
        *("\u041d\u0435\u043b\u044c\u0437\u044f", "\u7981\u6b62\u4e8b\u9879", "\u4e0d\u8981"),
    ],
)
def test_headings_that_forbid_are_known_in_many_languages(text):
    """So that no command below one is run; others forbid nothing."""
    assert forbids(text)
    others = ("Testing", "Before committing", "Do", "Notes", "Estilo", "Nothing fancy")
    assert not any(map(forbids, others))


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
        ("Run `gofmt -s` before committing.", []),
        ("Run `shfmt -i 2` before you push.", []),
        ("Do not run `make slow` before committing.", []),
        ("Before considering the task complete, run `./mvnw clean test`.", ["./mvnw clean test"]),
        ("Run `.venv/bin/pytest -q` before committing.", [".venv/bin/pytest -q"]),
        ("Run `.github/check.sh` before committing.", [".github/check.sh"]),
        ("Use `/review` before committing or opening a PR.", []),
        ("Run `npm run dev` to start the server.", []),
        ("Update `CHANGELOG.md` before committing.", []),
        ("Run `pytest tests/<name>` before committing.", []),
        ("Run the linter before committing.", []),
        ("Never run `make slow` before committing.", []),
        ("Don't ever run `make slow` before you push", []),
        ("Não rode `npm test` antes de abrir o PR", []),
        ("Never commit; run `make test` before pushing", ["make test"]),
        ("`schema.sql` must pass", []),
        ("Ejecuta `npm test` antes de cada commit", ["npm test"]),
        ("Antes de hacer commit, ejecuta `make lint`", ["make lint"]),
        ("Rode `npm run lint` antes de cada commit", ["npm run lint"]),
        ("Vor jedem Commit `make lint` ausführen", ["make lint"]),
        ("Führe `make lint` vor jedem Commit aus", ["make lint"]),
        ("Exécutez `make lint` avant chaque commit", ["make lint"]),
        ("Esegui `make lint` prima di ogni commit", ["make lint"]),
        ("提交前运行 `make lint`", ["make lint"]),
        ("コミットする前に `make lint` を実行してください", ["make lint"]),
        ("Führe `make slow` nicht vor jedem Commit aus", []),
        ("Vor jedem Commit `make slow` nicht ausführen", []),
        ("Non eseguire `make slow` prima di ogni commit", []),
        ("提交前不要运行 `make slow`", []),
        ("コミットする前に `make slow` を実行しないでください", []),
    ],
)
def test_commands_are_read_where_they_are_to_be_run_before_the_work_counts_as_done(sentence, commands):
    """Exactly as code spans have them."""
    found = read_commands(sentence)
    assert found == commands or len(found) == commands
