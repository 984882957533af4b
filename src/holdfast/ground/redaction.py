"""Secrets out of text before it is written or sent. Cold: on the prompt path text is redacted where it enters
plan and mirror."""

from __future__ import annotations

import re

MARK = "[redacted:{kind}]"

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        # Up to the next beginning only: else a text full of beginnings is searched to its end for each of them.
        (
            "private-key",
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z ]*PRIVATE KEY-----)?",
        ),
        ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
        ("openai-key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}"),
        ("github-token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})"),
        ("gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("aws-key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("google-key", r"\bAIza[0-9A-Za-z_-]{35}"),
        ("slack-token", r"\bxox[abposr]-[A-Za-z0-9-]{10,}"),
        ("stripe-key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("npm-token", r"\bnpm_[A-Za-z0-9]{36}"),
        ("pypi-token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
        ("jwt", r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"),
        ("url-password", r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"),
        ("bearer", r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{20,}=*"),
        (
            "assigned-secret",
            r"(?i)(?:(?<=password=)|(?<=passwd=)|(?<=secret=)|(?<=api_key=)|(?<=apikey=)|(?<=token=))[^\s\"'<>&]{8,}",
        ),
    )
)


def redact(text: str) -> str:
    """The text with every known form of secret replaced by a mark that names its kind."""
    for kind, pattern in PATTERNS:
        text = pattern.sub(MARK.format(kind=kind), text)
    return text
