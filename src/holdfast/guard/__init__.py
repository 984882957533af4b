"""What an agent may do: what a command does, understood before it runs."""
