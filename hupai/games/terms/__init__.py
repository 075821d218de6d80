"""What players agree on for a game, and what they say of a hand."""
