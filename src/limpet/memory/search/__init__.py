"""Search: entries ranked against a question, by words, and with extras by meaning."""
