"""The use-cases: one function for each thing that several doors do.

What cannot be done raises LimpetError; a docstring names that where more is to be known of it. What is for people only
raises it for every agent.
"""
