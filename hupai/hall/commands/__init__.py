"""Commands of a hall."""
