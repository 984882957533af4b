"""Extraction: what a model is asked of a conversation, and what of its answer is believed. Pure; who asks is elsewhere.

``prompt`` says what leaves the machine; ``answer`` lets nothing in that has no verbatim quote.
"""
