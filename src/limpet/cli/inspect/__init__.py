"""Commands that show what the agent got, and why: nothing here changes anything."""
