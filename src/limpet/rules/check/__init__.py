"""The checks of a project's rules: each module yields the findings on one sort of file."""
