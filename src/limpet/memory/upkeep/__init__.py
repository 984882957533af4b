"""The daily maintenance of memories: planned from cards, then carried out."""
