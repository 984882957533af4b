"""Rules: manifest, domains, constitution, keyword matching, star-commands, and the compiled plan of the prompt hook."""
