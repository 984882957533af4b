"""The registry of transcript formats by host: one line each. Their modules are imported on demand."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.transcripts import antigravity, claude_code, claude_code_usage, codex, copilot, cursor, gemini
    from limpet.transcripts.messages import Branched, TokenUsage, Transcript

    # Checked by types.
    hot: tuple[TokenUsage, ...] = (claude_code_usage, codex, copilot, gemini, cursor, antigravity)
    cold: tuple[Transcript, ...] = (claude_code, codex, copilot, gemini, cursor, antigravity)
    branched: tuple[Branched, ...] = (claude_code_usage,)

# Host -> the module that reads its transcripts.
TRANSCRIPTS = {
    "claude-code": "limpet.transcripts.claude_code",
    "codex-cli": "limpet.transcripts.codex",
    "copilot-cli": "limpet.transcripts.copilot",
    "gemini-cli": "limpet.transcripts.gemini",
    # VS Code's chat writes Copilot's kinds of lines.
    "vscode": "limpet.transcripts.copilot",
    "cursor": "limpet.transcripts.cursor",
    "antigravity": "limpet.transcripts.antigravity",
}
# The host whose prompts are most frequent has what the prompt hook needs in a module of its own.
USAGES = {"claude-code": "limpet.transcripts.claude_code_usage"}
# Hosts whose transcripts have branches.
BRANCHED = {"claude-code": "limpet.transcripts.claude_code_usage"}


def usage_of(host: str) -> TokenUsage | None:
    name = USAGES.get(host) or TRANSCRIPTS.get(host)
    usage: TokenUsage | None = __import__(name, fromlist=["read_usage"]) if name else None
    return usage


def transcript_of(host: str) -> Transcript | None:
    name = TRANSCRIPTS.get(host)
    transcript: Transcript | None = __import__(name, fromlist=["read_messages"]) if name else None
    return transcript


def branched_of(host: str) -> Branched | None:
    name = BRANCHED.get(host)
    branched: Branched | None = __import__(name, fromlist=["find_branching"]) if name else None
    return branched
