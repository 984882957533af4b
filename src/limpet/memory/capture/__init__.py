"""Capture: what a conversation is worth remembering for, found without a model. ``find`` is the door, ``cues`` reads
the words of each language.

The person's message is a unit (``remarks``: its ``own_words``, the ``acts`` of its sentences, what it ``answers``), the
model's turn another (``reports``), the failing and passing of a command a third (``outcomes``).
A candidate is a proposal; ``reconcile`` compares it with what is known.
"""
