"""Handoffs: what one agent leaves for the next."""
