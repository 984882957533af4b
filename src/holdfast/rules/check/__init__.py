"""Every mistake in a project's rules."""
