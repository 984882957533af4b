"""The record of what was installed where, by which it is removed without a trace or written anew."""
