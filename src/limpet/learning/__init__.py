"""What work teaches (Shaktra Intelligence System): observations become principles, anti-patterns and procedures, whose
confidence evidence moves. Pure but for ``store``."""
