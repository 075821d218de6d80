"""What somebody types and reads in a terminal: words, flags, questions, tables."""
