"""Floor 0: what every room stands on. It knows files, time, settings and text, and nothing of rules or agents."""
