"""Hands of five rule systems, laid out as people do."""
