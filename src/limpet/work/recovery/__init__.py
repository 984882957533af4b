"""Going on in a fresh conversation: continuations, and when one is due."""
