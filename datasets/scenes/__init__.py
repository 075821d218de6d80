"""Whole scenes and videos with exact truth, and what the networks are taught of them."""
