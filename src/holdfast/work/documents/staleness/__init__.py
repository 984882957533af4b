"""Whether a document still stands as it was judged: by the content of its file and of what its type watches."""
