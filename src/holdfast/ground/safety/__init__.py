"""Secrets and text that poses as an instruction: found before anything is written or sent."""
