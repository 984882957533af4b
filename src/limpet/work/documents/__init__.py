"""The project's documents (chat-spec): how good each one is, and which need work. Two tiers of files hold it."""
