"""Choices that a person or an agent makes for the project or a conversation: agent, task, squad, modes."""
