"""Players of a tournament, and those who register."""
