"""The guard: what an agent's tool call may do, as rules over values; pure, and light to import."""
