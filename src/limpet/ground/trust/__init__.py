"""Whether a project's folder is the user's own or came with a checkout, and what of it the user agreed to."""
