"""The pipeline's rules: pure functions from the project's session and its workflow to what changes in the session."""
