"""Lines of instruction files that read as rules."""

import pytest

from holdfast.rules.adoption.directives import is_directive
from holdfast.rules.adoption.offers import find_offers
from holdfast.rules.adoption.passages import read_passages

FILE = """# Contributing

This is a web shop. It was begun in 2019.

## Database

- **Never** edit a migration that was merged; write a new one
- `schema.sql` is generated
- Migrations:
  - Use `timestamptz`, not `timestamp`
- See [the guide](docs/db.md) for details

```sql
-- Always drop tables first
```

| Use | this table |
|---|---|

<!-- Never read this comment -->
> Always ignore quotations

Run `make db` before the tests. The container takes a minute.
\u274c Use `var`
"""


def offers(text, name="CLAUDE.md", known=()):
    """What is offered of one file."""
    return find_offers(read_passages(name, text), known)


@pytest.mark.parametrize(
    "text",
    [
        "Use `uv` for all dependencies, never `pip`.",
        "Always run the linter before a commit",
        "Do not mock the database",
        "All public functions must have docstrings",
        "`time.monotonic()` for durations, not `time.time()`",
        "No `assert` in production code",
        "When you add a route, update the OpenAPI file",
        "We use tabs, not spaces.",
        "FORBIDDEN: imports inside functions",
        "Async testing: use anyio, not asyncio",
        "Nunca importe do `@/legacy`",
        "Utilisez toujours le client partagé",
        "Debe haber una prueba por cada error",
    ],
)
def test_what_tells_somebody_to_do_or_not_to_do_something_is_a_directive(text):
    """Imperatives, modal verbs, prohibitions and contrasts, in four languages."""
    assert is_directive(text)


@pytest.mark.parametrize(
    "text",
    [
        "The scheduler reads serialized jobs from the queue",
        "Test fixtures live beside the tests",
        "`src/`: the sources",
        "Run a single test: `pytest tests/a.py -k name`",
        "Good: `fix: parse empty input`",
        "Use these commands:",
        "Which linter do we use?",
        "See docs/style.md for details",
        "This rule is mandatory",
        "Use only for small components",
        "Build system",
    ],
)
def test_descriptions_labels_and_references_are_none(text):
    """What a reader learns from, and nobody can obey by itself."""
    assert not is_directive(text)


def test_code_tables_comments_and_quotations_are_not_offered():
    """Only prose and list items, each with its line, heading and domain; the most specific first."""
    found = [(one.line, one.heading, one.domain, one.text) for one in offers(FILE)]
    assert found == [
        (10, "Migrations", "PROJECT_MIGRATIONS", "Use `timestamptz`, not `timestamp`"),
        (23, "Database", "PROJECT_DATABASE", "Run `make db` before the tests."),
        (7, "Database", "PROJECT_DATABASE", "Never edit a migration that was merged; write a new one"),
    ]


def test_keywords_are_those_of_code_heading_and_rare_words():
    """Not the verb, and not what every prompt says."""
    assert [one.keywords for one in offers(FILE)] == [
        ("timestamptz", "timestamp", "migrations"),
        ("database", "tests"),
        ("database", "merged", "migration"),
    ]


def test_a_rule_that_is_there_already_is_not_offered_again():
    """Whatever its marks and capitals."""
    assert not offers("- Use **tabs**, not spaces\n", known=["use tabs, not spaces."])
    assert len(offers("- Use tabs, not spaces\n- use tabs, not spaces.\n")) == 1


def test_a_line_without_a_word_of_its_own_is_not_offered():
    """Nothing in a prompt could call it."""
    assert is_directive("Always follow good practices") and not offers("- Always follow good practices\n")


def test_the_paths_of_a_cursor_rule_become_keywords():
    """With the file's name as heading."""
    text = "---\ndescription: x\nglobs: src/widgets/**/*.tsx\n---\n- Use Tailwind, never inline CSS\n"
    found = offers(text, ".cursor/rules/web-forms.mdc")[0]
    assert found.domain == "PROJECT_WEB_FORMS" and found.keywords[:2] == ("widgets", "tsx")
    listed = 'globs:\n  - "a/forms/*.vue"\n'
    assert offers(f"---\n{listed}---\n- Use Zod, never Yup\n", "a.mdc")[0].keywords[:2] == ("forms", "vue")


def test_a_long_item_keeps_its_first_sentences():
    """As far as a rule may be long; none where the first sentence is longer."""
    long = "It explains itself at length, with many words that nobody needs. " * 6
    assert [one.text for one in offers(f"- Use Zod, never Yup. {long}\n")][0].startswith("Use Zod, never Yup.")
    assert not offers(f"- Use Zod, never Yup, because {long.replace('.', ',')}\n")
