"""Coding agents started by a command: a conversation of their own."""

from __future__ import annotations

_ASKED = "!--help & !-h & !--version & !-v & !-V"
CLIENTS = f"""
claude claude-code = --model --settings --system-prompt --append-system-prompt --permission-mode --output-format --agent
    --input-format --session-id -r --resume --allowedTools --disallowedTools --tools --add-dir --mcp-config --agents
    --setting-sources --max-turns --max-budget-usd --json-schema --fallback-model --debug-file --plugin-dir
  conversation: !mcp|config|doctor|update|upgrade|install|plugin|plugins|auth|setup-token|migrate-installer ? {_ASKED}
codex = -c --config -m --model -i --image -s --sandbox -a --ask-for-approval -C --cd -p --profile --add-dir --enable
    --disable --local-provider --remote
  conversation: !login|logout|mcp|completion|features|help|apply|a|doctor|plugin|update|execpolicy ? {_ASKED}
gemini gemini-cli = -m --model --approval-mode -r --resume -o --output-format --include-directories -e --extensions
    -p --prompt -i --prompt-interactive
  conversation: !mcp|extensions|extension|hooks|hook|skills|skill ? {_ASKED} & !--list-extensions & !-l &
      !--list-sessions
copilot = -p --prompt -i --interactive --model --agent --add-dir --allow-tool --deny-tool --log-dir --log-level --resume
    --session-id --output-format
  conversation: !mcp|plugin|login|logout|help|version|update|init|completion ? {_ASKED}
agy cursor-agent opencode amp droid qwen crush = -p --print --prompt -m --model --output-format --mode --conversation
  conversation: !mcp|plugin|login|logout|help|version|update|upgrade|auth|models|status|whoami|about|ls|stats|export|
      import|completion|providers|uninstall ? {_ASKED}
aider goose = -m --message -f --message-file --model -t --text -i
  conversation: !configure|info|update|completion|help ? {_ASKED} & !--models & !--list-models
"""
