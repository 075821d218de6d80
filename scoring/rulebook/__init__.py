"""What a rule system says of itself beside its elements: shapes that win, presets, customs, told results."""
