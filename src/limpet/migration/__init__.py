"""What the files of another tool become here: a reader for each, pure, from its bytes to those of ours."""
