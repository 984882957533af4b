"""What happens when an agent is activated: what is loaded in which time, and what the greeting says. All of it pure."""
