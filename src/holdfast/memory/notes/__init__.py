"""Notes: what a person typed and no rule of capture took for a memory, kept to be searched and to be known when it is
said again.

Separate from the entries, because a note is nobody's knowledge yet: it is never shown by itself and never fades.
"""
