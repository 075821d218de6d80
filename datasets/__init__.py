"""What the models learn from: tile faces, synthetic scenes, loaders of photographed sets. Not shipped."""
