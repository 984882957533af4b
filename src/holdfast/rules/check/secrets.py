"""Checks rule files for secrets: they are redacted where rules are sent, but git keeps the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from holdfast.ground.safety.redaction import redact
from holdfast.rules.check.finding import ERROR, Finding

HINT = "write where the secret is stored instead; if the file is in git, revoke the secret"


def check_secrets(path: str, text: str, known: Collection[str] = ()) -> Iterator[Finding]:
    """Yield a finding for each line from which a secret, such as one of those ``known``, is taken out before it is
    sent."""
    if redact(text, known=known) == text:
        return
    lines = [number for number, line in enumerate(text.splitlines(), 1) if redact(line, known=known) != line]
    for number in lines or (0,):
        yield Finding(ERROR, path, number, "looks like a secret; it is redacted before it is sent", HINT)
