"""Outputs of labelling: label files, crops, lists, the summary."""
