"""Speed: benchmarks, one against another package; and a tournament while things go wrong."""
