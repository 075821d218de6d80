"""Speed, endurance and load: benchmarks, some against other packages, and load and soak tests."""
