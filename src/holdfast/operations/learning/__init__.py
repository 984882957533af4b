"""What doors and jobs do with the knowledge: each takes a ``Project``."""
