"""Foundations: tiles as numbers, dataclasses that are quick to create, context fields with their questions."""
