"""The fields of a score request: what each asks, and how it is read."""
