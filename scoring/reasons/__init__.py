"""Why a hand cannot be as it is told, and why it scores no more."""
