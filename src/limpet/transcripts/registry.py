"""The registry of transcript formats by host: one line each. Their modules are imported on demand."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.transcripts.base import TokenUsage, Transcript

# Host -> the folder of its format, with the modules ``usage`` and ``transcript`` (see ``base``).
TRANSCRIPTS = {
    "claude-code": "limpet.transcripts.claude_code",
    "codex-cli": "limpet.transcripts.codex",
    "copilot-cli": "limpet.transcripts.copilot",
    "gemini-cli": "limpet.transcripts.gemini",
}


def usage_of(host: str) -> TokenUsage | None:
    """Return the ``usage`` module for this host's transcripts, None for a host without."""
    folder = TRANSCRIPTS.get(host)
    usage: TokenUsage | None = __import__(f"{folder}.usage", fromlist=["read_usage"]) if folder else None
    return usage


def transcript_of(host: str) -> Transcript | None:
    """Return the ``transcript`` module for this host's transcripts, None for a host without."""
    folder = TRANSCRIPTS.get(host)
    transcript: Transcript | None = __import__(f"{folder}.transcript", fromlist=["read_messages"]) if folder else None
    return transcript
