"""Rounds of a tournament: planned, seated, taken back."""
