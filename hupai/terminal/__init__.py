"""Input and output in a terminal: words, flags, questions, tables."""
