"""What happens when an agent is activated: what is loaded in which time, and what the greeting says; and whose work a
request is. All of it pure, but for the router's weights, which are read from the package."""
