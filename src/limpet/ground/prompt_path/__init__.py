"""The prompt path: what makes the hook start quickly. ``framework/prompt_path.json`` lists the modules on it."""
