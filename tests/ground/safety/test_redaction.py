"""Secrets out of text: every form by example, what is none, and hostile text."""

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import limpet
from limpet.ground.safety.redaction import ROWS, SHORTEST_WORD, redact

from .secret_examples import AFTER, BASE62, BASE64, EXAMPLES, HEX, UUID, block, drawn

PASSWORD = "hunter" + "22x"
WORD = "supersecret" + "value"
SIGNS = "k9#mQ" + "!vz2"
MARK = "[redacted:assigned-secret]"

ASSIGNED = (
    "password: {}",
    "password={}",
    "Password: '{}'",
    '"apiKey": "{}",',
    "export DB_PASSWORD='{}'",
    '{{"client_secret": "{}"}}',
    "{{'password':'{}','user':'x'}}",
    r"{{\"password\": \"{}\"}}",
    'api_key = "{}"',
    'api_key: str = "{}"',
    "os.environ['API_TOKEN'] = '{}'",
    "Server=db;User=sa;Password={};Encrypt=yes",
    "https://x.example/?user=a&token={}&x=1",
    "jdbc:postgresql://h/db?user=x&password={}",
    "DB_PASS={}",
    "mysql --password={} -u root",
    "mysql -uroot -p{} db",
    "deploy --token {} now",
    "<password>{}</password>",
    '<add key="ApiKey" value="{}"/>',
    "- name: DB_PASSWORD\n  value: {}\n",
    "password: |\n  {}\n",
    "the password is {}.",
    "a senha é {}",
    "la contraseña es {}",
    "le mot de passe est {}",
    "senha: {}",
    "mot_de_passe={}",
    "(password: {})",
    "{{password: {},user: me}}",
    "ENV API_KEY {}",
    'password "{}"',
    "ALTER USER x IDENTIFIED BY '{}'",
    "| password | {} |",
    "**Password:** {}",
    "`password`: `{}`",
    "sshpass -p {} ssh",
)

HARMLESS = (
    "password: required",
    "Token: expired after 15 minutes",
    "password = get_password()",
    "password=new_password",
    "token = request.headers['x']",
    "password: string;",
    "max_tokens: 128000",
    "token_count = 123456789",
    '"token_type": "bearer"',
    "password: ${DB_PASSWORD}",
    "api_key: <your-key>",
    "API_KEY=your-api-key-here",
    "secret: {{ .Values.secret }}",
    "password: ********",
    "Always use base64 secrets",
    "apiKey: process.env.OPENAI_API_KEY",
    "password_file: /run/secrets/db1",
    "token: https://x.example/token2",
    "PASSWORD_MIN_LENGTH=12",
    "f(token=token, password=password)",
    "token=tokens[0]",
    '"password": "Enter your password"',
    "Password: at least 12 characters",
    "token bucket: 100r/s",
    "def f(password: str = '') -> None",
    "const token = await getToken(user1)",
    'print(f"password={password!r}")',
    "see --username and --password options",
    "git commit " + drawn(HEX, 40),
    "sha256:" + drawn(HEX, 64),
    '"integrity": "sha512-' + drawn(BASE64, 86) + '=="',
    "mem-2026-11-21-k7q2m9xa",
    "session " + UUID + " and request_" + UUID,
    "src/limpet/ground/assigned_secrets.py",
    "test/data/fonts/" + drawn(HEX, 40) + ".ttf",
    "printf(&quot;Password is correct.&quot;);",
    "https://docs.example/d/" + drawn(BASE62, 44) + "/edit",
    "toolu_01" + drawn(BASE62, 22),
    "data:image/png;base64," + drawn(BASE64, 300),
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + drawn(BASE62, 43),
    block("CERTIFICATE"),
    "getHTTPResponseCodeForURL2WithRetries",
    "_ZNSt13runtime_errorC1EPKcSt9exceptionD1Ev",
)

# What a pattern could be led to search again and again.
HOSTILE = (
    *("x", "x ", " ", "\n", "=", "\\", "'", "é", "\u0301", "aA1", "aA1/", "a1-", "a.", "\\n"),
    *("-----BEGIN PRIVATE KEY-----", "-----BEGIN X-----", "-----", "Private-Lines: 2\n" + "a" * 16 + "\n"),
    *("://", "://a:", "://a:b@", "a://", "https://a:hunter22@b ", "@", "sk-", "eyJ.", "-eyJ" + "a" * 12 + "."),
    *("password", "password=", 'password="', 'password=\\"a', "password=a,", "token:", "token for ", "secret_key_"),
    *("password | ", "--token ", "name: PASSWORD\n value: ", "<password>a", "cookie: a=", "curl -u ", "mysql -"),
    *("aws ", "heroku_", "datadog ", "machine a login b ", "mnemonic: abc ", "bearer ", "Basic aaaaaaaa"),
    *("[redacted:", "[redacted:x]", "password=hunter22 ", "12345678:A", "M" + "a" * 24 + ".", "data:a;base64,"),
)


@pytest.mark.parametrize(("kind", "before", "secret", "near"), EXAMPLES)
def test_each_key_format_goes_and_nothing_else(kind, before, secret, near):
    """The mark names its kind and stands where the secret stood; what only looks like it stays."""
    after = AFTER.get(kind, "")
    assert redact(f"see {before}{secret}{after} there") == f"see {before}[redacted:{kind}]{after} there"
    assert redact(near) == near


def test_the_table_knows_the_kinds_that_issuers_document():
    """``test_dressed`` makes secrets of every row."""
    assert {kind for kind, *_ in EXAMPLES} - {"bearer", "basic-auth", "url-password", "url-user", "high-entropy"} <= {
        kind for kind, *_ in ROWS
    }
    assert len({kind for kind, *_ in ROWS}) >= 58


@pytest.mark.parametrize(
    ("form", "secret"),
    [
        *((form, PASSWORD) for form in ASSIGNED),
        *((form, WORD) for form in ("SECRET_KEY={}", 'password: "{}"', "api_key = '{}'")),
        *((form, WORD) for form in ("-e DB_PASSWORD={} x", "secret: {}")),
    ],
)
def test_what_is_named_as_a_secret_goes_in_every_notation(form, secret):
    """YAML, JSON, shell, code, queries, connection strings, commands, tables and sentences in four languages; letters
    alone where only a value can stand: no name of a variable, and no English word."""
    text = form.format(secret)
    assert redact(text) == text.replace(secret, MARK)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text):
    """Placeholders, code, digests, ids, paths, links, public keys and what people write of passwords."""
    assert redact(text) == text


def test_signs_and_tails_go_with_the_secret():
    """No part of a password stays behind; a transcript that was cut has no END, and a known word may be short."""
    assert redact(f"password={SIGNS},x9 and") == f"password={MARK} and"
    text = block("RSA PRIVATE " + "KEY").rpartition("\n")[0]
    assert redact(f"{text}\nThen it ended.") == "[redacted:private-key]\nThen it ended."
    assert redact("swordfish", known=("swordfish",)) == "[redacted:known-secret]"


def test_a_key_in_escaped_json_is_met_behind_the_escape():
    """The "n" of a line break is no part of the key's word."""
    token = "gh" + "p_" + drawn(BASE62, 36)
    line = json.dumps({"text": f"token:\n{token}\n{drawn(BASE62, 32)}"})
    assert json.loads(redact(line)) == {"text": "token:\n[redacted:github-token]\n[redacted:high-entropy]"}


def test_known_values_go_wherever_they_stand():
    """Also as JSON and a URL spell them, the longest first; short ones are left."""
    known = ('a"b c\\d$', "zx81-quiet-lemur", "zx81-quiet", "short")
    text = f"zx81-quiet-lemur {json.dumps(known[0])} a%22b%20c%5Cd%24 short xzx81-quietx"
    mark = "[redacted:known-secret]"
    assert redact(text, known=known) == f'{mark} "{mark}" {mark} short x{mark}x'


def test_a_known_value_that_is_in_a_mark_leaves_the_mark():
    """Else redacting twice would not be redacting once."""
    text = redact("AK" + "IA" + drawn(BASE62.upper(), 16), known=["redacted"])
    assert redact(text, known=["redacted"]) == text == "[redacted:aws-key]"


@pytest.mark.parametrize(
    "form", ["a: {}\nb: 1\n", "a: '{}'\n", 'a: ["x", "{}"]\n', "- {}\n- x\n", "# {}\na: 1\n", "a: |\n  {}\n  x\n"]
)
@pytest.mark.parametrize("secret", ["gh" + "p_" + drawn(BASE62, 36), "password=" + PASSWORD, drawn(BASE62, 32)])
def test_yaml_stays_yaml(form, secret):
    """The mark reads as a value where the secret was one."""
    redacted = redact(form.format(secret))
    assert secret not in redacted
    assert type(yaml.safe_load(redacted)) is type(yaml.safe_load(form.format(secret)))


FRAGMENTS = [
    *("password=", "password: ", "token", "://", "a:", "@", "@b ", " ", "\n", '"', "'", ",", "=", "-", ".", "\\"),
    *("bearer ", "[redacted:jwt]", "[redacted:", "]", PASSWORD, SIGNS, drawn(BASE62, 32)),
    *("gh" + "p_", "AK" + "IA", "sk" + "-", "eyJ"),
    *(secret for _, _, secret, _ in EXAMPLES if len(secret) < 80),
]


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=12).map("".join))
def test_redacting_twice_changes_nothing(text):
    """A mark lays bare no secret and is none."""
    once = redact(text, known=["zx81-quiet-lemur"])
    assert redact(once, known=["zx81-quiet-lemur"]) == once


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_costs_in_proportion_to_its_length(unit):
    """Eight times the text takes far from sixty-four times the time; a megabyte comes to its end."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        redact(text)
        return time.process_time() - start

    short = min(seconds(25_000) for _ in range(2))
    assert seconds(200_000) < 24 * max(short, 0.02)


def test_the_sources_and_documents_of_this_project_hold_no_secret():
    """What people write about secrets is not taken for one: at most one line in ten thousand."""
    root = Path(limpet.__file__).parents[2]
    files = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("src/**/*.py"), *root.glob("src/**/*.md")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    changed = [line for line in lines if redact(line) != line]
    assert len(changed) * 10_000 <= len(lines) + 10_000, changed


@pytest.mark.parametrize(("kind", "before", "secret", "near"), EXAMPLES)
def test_no_key_is_so_short_a_word(kind, before, secret, near):
    """With what shows that it is one; shorter words are not looked at."""
    whole = before + secret
    assert len(whole) >= SHORTEST_WORD or not whole.translate(dict.fromkeys(map(ord, "_-."))).isalnum()
