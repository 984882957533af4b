"""Use-cases of the work: pipeline, handoffs, stories, documents, lock, continuation, and what they tell of it."""
