"""Commands of labelling."""
