"""The text of rule files: manifest, domains, constitution, star-commands."""
