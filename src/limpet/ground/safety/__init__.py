"""Secrets and prompt injection: found before anything is written or sent."""
