"""The guard in the hook: what it knows of project and conversation, its answer to a tool call, and the record of it."""
