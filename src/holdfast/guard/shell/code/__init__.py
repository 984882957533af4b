"""Code for interpreters: which of their words are code, and what it runs."""
