"""Hands of the five rule systems, laid out as people do."""
