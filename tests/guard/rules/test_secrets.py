"""Secrets in what is written."""

import pytest

from ..scenes import SCENE, answer, edit, verdicts, write

KEY = "AKIA" + "QX7ZPLK3MNB2VTRD"
DENIED, ASKED, FINE = ("deny", "secret.write"), ("ask", "secret.write"), ("allow", "")


@pytest.mark.parametrize("permission", ["", "auto"])
@pytest.mark.parametrize("path", ["src/a.py", ".env", "README.md", ".limpet/handoffs/dev.md"])
def test_a_key_is_not_written(path, permission):
    """Into no file of the project, in no mode, and without any agent."""
    assert answer(write(path, f"key = '{KEY}'"), SCENE.replace(permission=permission)) == DENIED


def test_a_key_in_a_large_text_is_known_by_its_beginning(monkeypatch):
    """All that redaction does would take longer than a call may."""
    monkeypatch.setattr("limpet.guard.rules.secrets._secrets_of", lambda text: iter(()))
    filler = "a line of a large file, 1, 2, 3\n" * 40_000
    assert answer(write("src/a.py", f"{filler}key = '{KEY}'\n{filler}")) == DENIED
    assert answer(write("src/a.py", filler)) == FINE


@pytest.mark.parametrize(
    "text", [f"echo KEY={KEY} > .env", f"cat > a.py <<EOF\nk = '{KEY}'\nEOF", f"echo {KEY} | tee a"]
)
def test_nor_by_a_shell(text):
    """The command's own text is what it writes."""
    assert answer(text) == DENIED


def test_a_command_that_writes_nothing_may_use_one_and_the_settings_name_files():
    """It is in the conversation already; ``guard.secrets_in`` names files that may hold them."""
    assert answer(f"AWS_KEY={KEY} aws s3 ls") == FINE
    assert answer(write(".env.local", f"K={KEY}"), SCENE.replace(settings={"secrets_in": [".env.local"]})) == FINE


@pytest.mark.parametrize("path", ["src/a.py", "docker-compose.yml"])
@pytest.mark.parametrize(
    "text",
    [
        "key = os.environ['AWS_KEY']",
        "key = 'AKIAIOSFODNN7EXAMPLE'",
        "password: <your password>",
        "API_KEY=your-key-here",
        "POSTGRES_PASSWORD: postgres",
        "token = 'xxxxxxxxxxxxxxxxxxxx'",
        "secret = '12345678abcdefgh'",
        "integrity sha512-Abcd1234EFGH5678ijklMNOP9012qrstUVWX3456yzABcdefGH78==",
        "POSTGRES_PASSWORD: devpassword123",
        "DATABASE_URL=postgres://postgres:postgres@localhost:5432/app",
        "api_key = 'test_key_123'",
        "hash = '$2b$12$" + "N9qo8uLOickgx2ZMRZoMye" + "IjZAgcfl7p92ldGxad68LJZdL17lhWy'",
        "SECRET_KEY = 'django-insecure-" + "k9w2m4x7q1z8r5t3'",
        "SENTRY_DSN=https://" + "0f9e8d7c6b5a49382716051423324150" + "@o1.ingest.sentry.io/42",
    ],
)
def test_a_placeholder_and_what_is_made_up_or_public_pass(text, path):
    """Names of secrets, digests, passwords of a development machine, and keys that every visitor gets."""
    assert answer(write(path, text)) == FINE


def test_what_stood_there_before_is_not_new_and_another_in_its_place_is():
    """An edit beside it, and the file written again, change nothing: what is compared is the value."""
    assert answer(edit("src/a.py", (f"k = '{KEY}'  # old", f"k = '{KEY}'"))) == FINE
    assert answer(write("src/a.py", f"k = '{KEY}'\n"), before=f"k = '{KEY}'") == FINE
    other = "AKIA" + "ZP3QX7LKMNB2VTRD"
    assert answer(edit("src/a.py", (f"k = '{KEY}'", f"k = '{other}'"))) == DENIED


@pytest.mark.parametrize("path", ["tests/test_a.py", ".env.example", "src/a.spec.ts", "fixtures/a.json"])
def test_in_examples_and_tests_a_person_is_asked_about_known_forms_only(path):
    """Passwords there are made up."""
    assert answer(write(path, f"key = '{KEY}'")) == ASKED
    assert answer(write(path, "password = 'Tr0ub4dor&3x'")) == FINE


@pytest.mark.parametrize(
    "text",
    [
        "password = 'Tr0ub4dor&3x'",
        "url = 'https://app:Tr0ub4dor3x@db.example.com/x'",
        "apiKey: 'AIza" + "SyQx7ZpLk3MnB2vTrDw9Ks4Hj6Fg8Cy1Bq0'",
    ],
)
def test_what_may_be_a_secret_is_asked_about_and_never_denied(text):
    """Once in a conversation, for each ending of a file's name."""
    found = verdicts(write("src/a.py", text))
    assert [(verdict.answer, verdict.rule, verdict.once) for verdict in found] == [
        ("ask", "secret.write", "secret.write .py")
    ]


WHOLE = [
    'rm -rf "$PWD"',
    "rm -rf $(pwd)",
    'rm -rf "$(git rev-parse --show-toplevel)"',
    'cd .. && rm -rf "$OLDPWD"',
    'rm -rf "$(dirname "$PWD")/harbour"',
    'rm -rf ../$(basename "$PWD")',
    "rm -rf $(realpath .)",
    "D=$PWD; cd /; rm -rf $D",
    'rm -rf "$CLAUDE_PROJECT_DIR"',
    'rm -rf "$PWD/.git"',
    'rm -rf "${PWD}"/*',
    'rm -rf "$BUILD_DIR"/*',
    'cd "$X" && rm -rf *',
    "find . -delete",
    'find "$PWD" -type f -delete',
    "rsync -a --delete /tmp/empty/ ./",
    "rimraf .",
    "python3 -c \"import shutil; shutil.rmtree('.')\"",
    'python3 -c "import shutil, os; shutil.rmtree(os.getcwd())"',
    "node -e \"require('fs').rmSync('/srv/harbour', {recursive: true})\"",
]
PART = [
    "rm -rf ${BUILD_DIR:?}/*",
    'rm -rf "$TMP/x"',
    'rm -rf "$PWD/build"',
    'cd src; rm -rf "$PWD"',
    'for d in a b; do rm -rf "$d"/*; done',
    "find . -name '*.pyc' -delete",
    "find . -mtime +3 -delete",
    "rsync -a --delete src/ build/",
    "npx rimraf dist",
    "python3 -c \"import shutil; shutil.rmtree('build')\"",
]


@pytest.mark.parametrize("command", WHOLE)
def test_the_project_goes_by_no_name_unasked(command):
    """Without an agent and a mode: by its folder's own names, by values that the shell fills in, by other programs."""
    assert answer(command) == ("ask", "destructive.all")


@pytest.mark.parametrize("command", PART)
def test_a_part_of_it_does(command):
    assert answer(command) == FINE
