"""A whole tournament on one machine: cameras, phones, a director, spectators, and what goes wrong meanwhile."""
