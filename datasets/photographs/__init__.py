"""Photographed tiles: loading, cutting, packing."""
