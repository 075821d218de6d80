"""The messages of scoring: sentences that can be translated."""
