"""Checks that are proposed."""

import pytest

from limpet.work.checks import propose_checks


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["python -m pytest -q"]),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, ["npm test"]),
        ({"Cargo.toml": "[package]\n"}, ["cargo test"]),
        ({"go.mod": "module x\n"}, ["go test ./..."]),
        ({"Makefile": "build:\n\ntest: build\n\t./t\n"}, ["make test"]),
        ({"package.json": '{"scripts": {"test": "vitest"}}', "pnpm-lock.yaml": ""}, ["pnpm test"]),
        ({"package.json": '{"scripts": {"test": "jest"}, "packageManager": "yarn@4.1.0"}'}, ["yarn test"]),
        ({"package.json": '{"scripts": {"test": "jest"}, "packageManager": ["rm"]}', "bun.lock": ""}, ["bun run test"]),
        ({"pyproject.toml": "[tool.pytest]", "uv.lock": ""}, ["uv run pytest -q"]),
        ({"Cargo.toml": "", ".config/nextest.toml": ""}, ["cargo nextest run"]),
        ({"pyproject.toml": "[project]\n"}, []),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
        ({"package.json": "{"}, []),
        ({"package.json": "[]"}, []),
        ({"Makefile": "test := 1\n"}, []),
    ],
)
def test_tests_are_run_as_the_project_runs_them(tmp_path, files, lines):
    """By the file that says so, its lock file, or what it names; none without tests, or where the file is broken."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(propose_checks(str(tmp_path)).values()) == lines
