"""Accuracy: of tiles in annotated photos, of hands in rendered and real ones, and what a learned set is worth."""
