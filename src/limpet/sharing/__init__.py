"""Entries shared by a store that several writers add to and that is trusted with nothing."""
