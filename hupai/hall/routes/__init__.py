"""Paths of a tournament hall: tables, events, rounds, referees, tokens."""
