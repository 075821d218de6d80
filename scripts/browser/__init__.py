"""The page in Debian's chromium, driven by Playwright: for tests, pictures of its screens and benchmarks."""
