"""Tournaments: who plays whom, what every table brought, who leads."""
