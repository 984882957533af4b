"""What is shared: a person's own memories between machines, and a team's in their repository."""
