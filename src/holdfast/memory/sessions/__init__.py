"""The text of past conversations, in passages that can be searched: no memories, and not kept by Holdfast's files."""
