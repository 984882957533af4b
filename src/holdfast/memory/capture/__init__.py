"""What a conversation is worth remembering for, found without a model: ``find`` is the door, each language a table of
cues. What is found here is a proposal; ``reconcile`` compares it with what is known."""
