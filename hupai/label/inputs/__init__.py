"""Inputs of labelling: folders, wildcards, lists."""
