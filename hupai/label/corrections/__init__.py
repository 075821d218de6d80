"""The way back: labels compared, measured, corrected, learned from, split into parts, forgotten."""
