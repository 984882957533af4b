"""From the state of things to the request of which the context room makes a block."""
