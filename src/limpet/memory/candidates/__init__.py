"""Candidates: words of a conversation that may be worth a memory, until whoever understood them writes a sentence or
drops them.

Separate from the entries, because a candidate is nobody's knowledge yet: a search finds it, and no list shows it.
"""
