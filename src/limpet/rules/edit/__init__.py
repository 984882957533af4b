"""Changes to rule files: text to text, every other byte kept."""
