"""A pinhole renderer: draws, lights, shadows and photographs boxes."""
