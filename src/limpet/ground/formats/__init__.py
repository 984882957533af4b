"""File formats: text to data and back, and edits that keep every byte they do not change. None touches the disk."""
