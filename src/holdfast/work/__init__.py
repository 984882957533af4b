"""Where the work stands: the project's session and the conversations' own, apart from the rules that read them."""
