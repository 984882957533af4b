"""The context block: how full the window is, which layers that leaves, what they say, and what fits the budget.
Pure."""
