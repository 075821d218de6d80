"""How scoring speaks: sentences that can be said in other languages."""
