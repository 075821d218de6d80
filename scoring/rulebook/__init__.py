"""What defines a rule system besides its elements: winning shapes, presets, customs, results without tiles."""
