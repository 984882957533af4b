"""Stories: units of work with criteria."""
