"""Is the table still, where does it lie, what does it look like bare."""
