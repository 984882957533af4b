"""Which commands an instruction file wants run."""

import pytest

from limpet.rules.passages import read_commands


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
    ],
)
def test_commands_are_read_where_they_are_to_be_run_before_the_work_counts_as_done(sentence, commands):
    """Exactly as code spans have them."""
    found = read_commands(sentence)
    assert found == commands or len(found) == commands
