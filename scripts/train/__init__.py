"""From art and photographs to the models that ship."""
