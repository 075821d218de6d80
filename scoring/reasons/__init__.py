"""Why a hand is impossible as given, and why it scores no more."""
