"""What the project's documents are worth and which need work (chat-spec): two tiers of files, one program."""
