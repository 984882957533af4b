"""A host that nobody has, for tests: what adding one takes is this folder, ``second_transcript`` and a line each."""
