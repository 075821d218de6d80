"""The way back: labels compared, measured, corrected, learned from, written by parts, forgotten."""
