"""The eight layers and memory: each a pure function from the request to pieces."""
