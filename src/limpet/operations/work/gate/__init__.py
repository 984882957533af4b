"""What a gate looks at in the world: the terms of the run, outputs, evidence, checks, and a person's approval."""
