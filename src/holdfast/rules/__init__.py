"""Rules: manifest, domains, constitution, keyword matching, star-commands, and the compiled plan the prompt hook
reads."""
