"""Which values of ``.env`` files are secrets by value."""

import pytest

from limpet.ground.safety.dotenv import is_secret, read_secrets, secrets_of


def test_values_come_without_quotes_comments_and_export():
    """As a shell would read them; a quoted value may have lines and escapes."""
    text = (
        "# A=commented-out-1\n"
        'export A_KEY="quoted # 9 \\"x\\""\n'
        "B=zx81-quiet-lemur # a comment\n"
        "  C = 'single $x 123'\r\n"
        'D_CERT="first line1\nsecond line2"\n'
        "E=q1w2e3r4t5"
    )
    values = ['quoted # 9 "x"', "zx81-quiet-lemur", "single $x 123", "first line1\nsecond line2", "q1w2e3r4t5"]
    assert secrets_of(text) == values


def test_a_value_is_a_secret_whole_and_in_parts():
    """Of a URL its password, of a longer one its lines: a log cuts it at the line's end."""
    url = "postgres://app:p4ss-w0rd@db.example/x"
    assert secrets_of(f"DB={url}") == [url, "p4ss-w0rd"]
    lines = ["MIIEvQIBADANBgkqh", "kiG9w0BAQEFAASCBK", "short"]
    assert secrets_of('TLS_KEY="{}"'.format("\n".join(lines))) == ["\n".join(lines), *lines[:2]]


@pytest.mark.parametrize(("name", "value", "secret"), [
    ("NODE_ENV", "development", False), ("DEBUG", "true", False), ("TIMEOUT", "123456789", False),
    ("API_URL", "http://localhost:3000", False), ("API_URL", "https://api.example.com/v1", False),
    ("REGION", "eu-central-1", False), ("MODEL", "claude-sonnet-4-5-20250929", False),
    ("APP_NAME", "Shop 2000 Deluxe", False), ("TITLE_TEXT", "My Great Shop", False),
    ("DB_PASSWORD", "password", False), ("DB_PASSWORD", "changeme", False), ("DB_PASSWORD", "${FROM_VAULT}", False),
    ("TOKEN", "abc12", False), ("CACHE_DIR", "/var/cache/shop1", False), ("MASK_KEY", "aaaaaaaaaaaa", False),
    ("DB_PASSWORD", "supersecretvalue", True), ("THING", "zx81-quiet-lemur", True),
    ("CARD_KEY", "4111222233334444", True), ("X", "a1b2c3d4", True),
])  # fmt: skip
def test_what_anybody_writes_is_no_secret(name, value, secret):
    """A word counts where its name says so, and what has letters and digits anywhere."""
    assert is_secret(name, value) == secret


def test_all_files_are_read_but_those_that_are_shared(tmp_path):
    """Also of another encoding, and beyond a damaged neighbour; none where there are none."""
    assert read_secrets(str(tmp_path)) == read_secrets(str(tmp_path / "none")) == frozenset()
    files = {
        ".env": "A=from-env-00001",
        ".env.local": "\ufeffB=from-local-002",
        ".envrc": "export C=from-rc-0000003",
        ".env.example": "D=from-example-4",
        ".env.local.sample": "E=from-sample-05",
        ".environment": "F=from-other-006",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".env.bin").write_bytes(b"\xff\xfe\x00G=\x00")
    (tmp_path / ".env.d").mkdir()
    assert read_secrets(str(tmp_path)) == {"from-env-00001", "from-local-002", "from-rc-0000003"}


def test_the_files_of_a_projects_packages_are_read(tmp_path):
    """However they are quoted; nothing that was installed, built or hidden, and nothing beyond a link."""
    files = {
        "packages/api/.env": "A='from-a-package-1'",
        "apps/shop/config/.env.local": 'export B="from 3 below it"',
        "apps/shop/config/deep/.env": "C=too-deep-below-1",
        "node_modules/x/.env": "D=from-a-dependency-2",
        ".git/.env": "E=from-a-hidden-one-3",
    }
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "project" / "link").symlink_to(tmp_path / "project" / "apps" / "shop" / "config")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".env").write_text("F=from-another-place-4", encoding="utf-8")
    (tmp_path / "project" / "other").symlink_to(tmp_path / "elsewhere")
    assert read_secrets(str(tmp_path / "project")) == {"from-a-package-1", "from 3 below it"}
