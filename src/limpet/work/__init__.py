"""The state of the work: the project's session, the conversations' own, and the stories, handoffs and documents."""
