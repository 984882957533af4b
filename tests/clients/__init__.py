"""Tests that drive real coding agents against a fake model, and what drives them."""
