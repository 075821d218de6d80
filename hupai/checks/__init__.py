"""Checks of an installation: what is missing, damaged or out of reach, and how to repair it."""
