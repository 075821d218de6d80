"""Tournaments: who plays whom, the results of every table, the standings."""
