"""The team's server: what a team shares, in PostgreSQL and behind HTTP. It keeps nothing between two requests, so that
any number of processes may answer. Nothing that a single person needs imports this room."""
