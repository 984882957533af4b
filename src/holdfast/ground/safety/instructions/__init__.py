"""Text that reads as an instruction to the model: ``find`` looks, the other modules are its data."""
