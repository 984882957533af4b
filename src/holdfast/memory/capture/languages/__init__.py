"""The cues of each language, as data."""
