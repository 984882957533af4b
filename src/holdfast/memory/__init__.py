"""What is remembered: entries as Markdown files, the index derived from them, search, attention, capture.

The files are the truth, ``store`` alone writes them, and ``access`` says who may read what.
"""
