"""How right: the eyes on annotated photos, hands on rendered and real ones, what a learned set is worth."""
