"""Readers of the transcripts that hosts keep: a folder for each format, and a line for it in ``registry``."""
