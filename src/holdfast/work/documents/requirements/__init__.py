"""The numbered requirements of a document: read, compared with those of its evaluation, and found where they are
mentioned."""
