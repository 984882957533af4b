"""The expressions of the redaction: compiled when a text needs them."""

import subprocess
import sys

from ...forking import SOURCE

COUNT = """
import sys
sys.path.append(sys.argv[1])
from limpet.ground.safety.dotenv import redact
from limpet.ground.safety.patterns import compiled
redact("git push")
print(compiled.cache_info().currsize)
redact("see https://example.com/?token=abc")
print(compiled.cache_info().currsize)
"""


def test_a_plain_command_needs_none():
    """Reading the module neither."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", COUNT, SOURCE], capture_output=True, text=True)
    plain, other = map(int, done.stdout.split())
    assert plain == 0 < other, done.stderr
