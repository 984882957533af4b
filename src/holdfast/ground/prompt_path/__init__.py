"""What makes the prompt hook start quickly, fenced off from everything else."""
