"""What a long text costs: as much more as it is longer, whatever it is made of."""

import base64
import time

import pytest

from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact

KEY = f"ghp_{'a1B2c3D4e5F6' * 3}"
SHORT, TIMES = 8_000, 4
UNITS = {
    "a Chinese label": "密码：",
    "a Japanese label": "パスワード：",
    "a Chinese word": "密码 ",
    "equals": "=",
    "colons": ":",
    "quotes": '"',
    "quotes in quotes": "\"'`\\",
    "blanks": " ",
    "escapes": '\\"',
    "a word": "password",
    "labels without blanks": "password=",
    "labels with commas": "password=a,",
    "labels with blanks": "password: ",
    "sentences": "the password is ",
    "calls": "password=f(",
    "attributes": "password=a.b.",
    "headers of a JWT": "eyJ",
    "beginnings of keys": "AKIA",
    "lines of base64": base64.b64encode(bytes(range(48))).decode() + "\n",
    "URLs": "http://a:",
    "cards": "4111 1111 1111 1112 ",
    "JSON": '{"password":"',
    "a variable a line": "FOO_TOKEN=abc123def456\n",
    "half an order": "curl ",
    "orders": "do not ignore ",
    "letters spelled out": "i g n o r e ",
    "signs for letters": "1gn0r3 ",
    "tags": "<system ",
}


def cost(look, text):
    """Seconds of CPU, the least of three."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        look(text)
        times.append(time.process_time() - begin)
    return min(times)


@pytest.mark.parametrize("look", [redact, flags_of])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_time_grows_with_the_text_and_no_faster(look, unit):
    """Four times the text is far from sixteen times the time."""
    look(unit * 20)
    short = unit * (SHORT // len(unit))
    assert cost(look, short * TIMES) <= 2 * TIMES * cost(look, short) + 0.01


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_no_flood_hides_a_key(unit):
    """One with a form of its own is found wherever it stands."""
    flood = unit * (SHORT // len(unit))
    assert KEY not in redact(f"{flood} {KEY} {flood}")


def test_a_named_secret_is_found_behind_many_names():
    """At the end of the run as at its beginning; of a value nothing is left, however far it goes on."""
    flood = "密码：" * 6_000
    assert "Hunter2xyz!" not in redact(f"{flood}Hunter2xyz!")
    assert "Hunter2xyz!" not in redact(f"password=Hunter2xyz! {flood}")
    assert "Hunter2xyz!" not in redact("密码 " * 6_000 + "是 Hunter2xyz!")
    value = "a1B2" * 1_000
    assert redact(f"the password is {value}").endswith("[redacted:assigned-secret]")
