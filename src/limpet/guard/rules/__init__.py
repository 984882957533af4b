"""The rules of the guard, each a function over a case; ``guard.judge`` lists them."""
