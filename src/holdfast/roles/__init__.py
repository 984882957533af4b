"""Who the agents are: names, missions, aliases. How they work stands in the rules."""
