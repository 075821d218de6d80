"""Broken input for everything that parses."""
