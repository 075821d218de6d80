"""Inputs of labelling: folders, archives, stores."""
