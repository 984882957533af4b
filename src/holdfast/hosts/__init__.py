"""The coding agents that Holdfast serves: their payloads, their replies, their files, their installers."""
