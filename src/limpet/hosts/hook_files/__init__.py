"""Our hooks in a host's JSON settings, in the shape that hosts share: events with groups of handlers."""
