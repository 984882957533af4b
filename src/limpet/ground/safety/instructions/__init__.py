"""Text that reads as an instruction to the model: ``find`` has the code, the other modules its data."""
