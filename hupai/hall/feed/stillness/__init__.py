"""Whether the table is still, where it lies, and what it looks like when bare."""
