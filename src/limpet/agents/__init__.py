"""What happens when an agent is activated: what is loaded in which time, and what the greeting says; and how much is
explained to the user. All of it pure, but for the patterns of the user's level, which are read from the package."""
