"""What doors and jobs do with what was learned: from memory to rule."""
