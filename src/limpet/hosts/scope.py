"""The scopes of a host's settings. Separate, because the status line imports it and must stay light."""

# One's own in this project; all people's, in a file that git keeps; one's own in all projects.
LOCAL, SHARED, USER = "local", "shared", "user"
