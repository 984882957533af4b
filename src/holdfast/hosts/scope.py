"""Whose settings a host's hooks stand in; light, for the status line and the command line import it."""

# One's own in this project; everybody's, in a file that git keeps; one's own in all projects.
LOCAL, SHARED, USER = "local", "shared", "user"
