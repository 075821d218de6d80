"""How fast, how long and how much: benchmarks beside their rivals, load and soak tests."""
