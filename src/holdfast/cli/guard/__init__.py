"""``holdfast guard``: a file for each command, and the group."""
