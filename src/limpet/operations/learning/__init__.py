"""The use-cases of learning."""
