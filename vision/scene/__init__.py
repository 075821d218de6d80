"""All detections of a photo weighed against one another: which are tiles, and which tiles."""
