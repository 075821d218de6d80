"""How accurate labels are."""
