"""Registers the second host beside those of the product: one line in each registry, here and in processes."""

import os

from limpet.hosts import registry as hosts
from limpet.transcripts import registry as transcripts

FOLDER = os.path.dirname(__file__)
NAME, HOST, TRANSCRIPT = "second-host", "second_host", "second_transcript"


def register(monkeypatch):
    """Add it in this process."""
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setitem(hosts.HOSTS, NAME, HOST)
    monkeypatch.setitem(transcripts.TRANSCRIPTS, NAME, TRANSCRIPT)


def registering(source):
    """The code that adds it in a process of its own, for a product that lies in ``source``."""
    return f"""
import sys
sys.path[:0] = [{FOLDER!r}]
sys.path.append({source!r})
from limpet.hosts.registry import HOSTS
from limpet.transcripts.registry import TRANSCRIPTS
HOSTS[{NAME!r}] = {HOST!r}
TRANSCRIPTS[{NAME!r}] = {TRANSCRIPT!r}
"""


def recorded(host):
    """The folder with this host's recorded payloads (``<event>[-variant].json``) and its transcript."""
    own = os.path.join(FOLDER, "payloads")
    return own if host == NAME else os.path.join(os.path.dirname(FOLDER), "fixtures", host)
