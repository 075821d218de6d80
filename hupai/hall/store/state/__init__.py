"""A tournament as its rows tell it: what was agreed, who plays, what has been played and changed."""
