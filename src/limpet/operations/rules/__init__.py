"""The use-cases of rules."""
