"""Capture: what a conversation is worth remembering for, found without a model. ``find`` is the door, each language a
table of cues.

A candidate is a proposal; ``reconcile`` compares it with what is known.
"""
