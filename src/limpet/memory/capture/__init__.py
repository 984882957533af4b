"""Capture: what a conversation is worth remembering for, found without a model. ``find`` is the door, ``heard`` what it
finds and how the words of each language are read. The person's message is a unit (``statements``, ``digest``), the
failing and passing of a command another (``outcomes``). What is found is a proposal: ``candidates`` compares it with
what is known."""
