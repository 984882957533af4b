"""The manifest of chat-spec as its design text shows it: the first of the two forms that are read."""

FIRST = """\
version: 1
project:
  name: my-project
  protocol: "0.1"

artifacts:
  architecture:
    path: specs/architecture.md    # where the actual artifact lives
    score: 3
    max_score: 5
    last_evaluated: 2025-02-20
    status: current                # current | stale | missing | wip
  features:
    path: specs/features.md
    score: 2
    max_score: 5
    last_evaluated: 2025-02-18
    status: stale

backlog:
  - artifact: architecture
    item: "Add data flow diagram"
    priority: high
  - artifact: features
    item: "Missing search feature documentation"
    priority: medium

log:
  - "2025-02-20: Evaluated architecture (3/5), updated conventions"
  - "2025-02-18: Initial scan, created manifest, generated architecture stub"
"""
