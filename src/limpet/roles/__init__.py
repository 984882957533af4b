"""The agents: names, missions, aliases. How they work is in the rules."""
