"""``holdfast work``, ``handoff``, ``lock``, ``spawn``."""
