"""What is learned from the work: observations, by command and from deeds."""
