"""Shell commands, understood without running them: which programs would run, where, and on which files."""
