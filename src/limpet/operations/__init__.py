"""The use-cases: one function for each thing that several doors do."""
