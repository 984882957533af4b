"""Secrets where logs, state files and commands leave them, with digits and without; and in URLs that are signed."""
# ruff: noqa: E501  (a form is a line)

import base64
import json

import pytest

from limpet.ground.safety.hints import may_hold_secret
from limpet.ground.safety.redaction import redact

from .secret_examples import BASE62, HEX, drawn

# «» stands for the secret.
FORMS = [
    "docker login -u ci -p «» registry.example.com",
    "az login --service-principal -u x -p «» --tenant t",
    "ldapsearch -x -D cn=admin,dc=x -w «» -b dc=x",
    "mongosh -u admin -p «» --authenticationDatabase admin",
    "sqlcmd -S db -U sa -P «»",
    "mosquitto_pub -u a -P «» -t x",
    "7z x -p«» a.7z",
    "mysql -uroot -p«» shop",
    "sshpass -p'«»' ssh x",
    "keytool -genkey -storepass «» -keypass x",
    "gpg --batch --passphrase «» -d x",
    "net user bob «» /add",
    "rabbitmqctl add_user app «»",
    "aws configure set aws_secret_access_key «»",
    "vault login «»",
    "nmcli dev wifi connect home password «»",
    "smbclient //s/x -U 'bob%«»'",
    'echo "root:«»" | chpasswd',
    'curl -H "X-Api-Key: «»" https://x',
    '$p = ConvertTo-SecureString "«»" -AsPlainText -Force',
    'network={\n  ssid="home"\n  psk="«»"\n}',
    '<input type="password" name="pw" value="«»">',
    '<input value="«»" type="password">',
    "the password on staging is «»",
    "Driver={ODBC Driver 18};Server=db;Uid=sa;Pwd={«»};",
    "password: !!str &x «»",
    "password: &pw «»",
    '"type": "random_password", "instances": [{"attributes": {"length": 16, "result": "«»"}}]',
    '"db_password": {\n  "value": "«»",\n  "type": "string",\n  "sensitive": true\n}',
    '"db": {"sensitive": true, "type": "string", "value": "«»"}',
    "CREATE ROLE app WITH LOGIN PASSWORD '«»';",
    "CREATE LOGIN app WITH PASSWORD = '«»';",
    "SET PASSWORD FOR 'x'@'%' = PASSWORD('«»');",
    "INSERT INTO users (name, password) VALUES ('bob', '«»');",
    'cfg := Config{User: "app", Password:"«»",}',
    'requests.get(u, auth=("admin", "«»"))',
    'new NetworkCredential("svc", "«»")',
    'DriverManager.getConnection(url, "app", "«»")',
    "requirepass «»",
    "<key>password</key>\n<string>«»</string>",
    '{"key": "password", "value": "«»", "type": "string"}',
    '{"name": "DB_PASSWORD", "value": "«»"}',
    'password = """«»"""',
    '"pass": "«»"',
]  # fmt: skip
VALUES = ["k9Qm2Vx7Tb4Z", "QwzRtKpLmNvB"]
ORDINARY = [
    "docker login -u ci -p $TOKEN registry.example.com",
    "docker login --password-stdin",
    '<input type="password" name="password" placeholder="Password" value="">',
    '<input type="submit" id="password-reset" value="Send a new one">',
    '"value": "eu-west-1", "type": "string", "sensitive": false',
    'f"Uid={user};Pwd={db_password};"',
    "GRANT ALL ON x TO y WITH GRANT OPTION; -- the role has no password",
    'auth=("user", "password")',
    'client.login("alice", token)',
    "passwords:\n  - min_length\n  - history",
    "tokens: [input, output]",
    '{"name": "password", "value": "string"}',
    "the password on staging is required",
    "mysql -u root -p shop",
    "https://example.org/?signature=optional&sig=none",
    "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", VALUES)
def test_a_secret_goes_wherever_it_stands(form, value):
    text = form.replace("«»", value)
    assert value not in redact(text) and may_hold_secret(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_stands_there_and_is_none_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    ("url", "signature"),
    [
        ("https://b.s3.amazonaws.com/k?X-Amz-Date=20261101T000000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=", HEX * 4),
        ("https://storage.googleapis.com/b/k?X-Goog-SignedHeaders=host&X-Goog-Signature=", HEX * 8),
        ("https://d1.cloudfront.net/x.mp4?Key-Pair-Id=APKAJ&Expires=1700000000&Signature=", BASE62),
        ("https://b.s3.amazonaws.com/k?AWSAccessKeyId=AK&Expires=17&Signature=", BASE62),
        ("https://a.blob.core.windows.net/c?sv=2022&se=2026&sig=", BASE62),
    ],
)
def test_a_signed_url_goes_without_its_signature(url, signature):
    value = drawn(signature, 43, 7)
    redacted = redact(f"see {url}{value} there")
    assert value[:20] not in redacted and redacted.startswith(f"see {url.partition('?')[0]}")


def test_a_key_in_json_in_base64_goes():
    """Its line ends are escapes in the JSON."""
    body = "\n".join(drawn(BASE62, 64, seed) for seed in range(12))
    key = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
    for data in ({"type": "service_account", "private_key": key}, {"auths": {"x.io": {"password": VALUES[0]}}}):
        encoded = base64.b64encode(json.dumps(data, indent=2).encode()).decode()
        assert encoded[40:70] not in redact(f"GOOGLE_CREDENTIALS={encoded}")
