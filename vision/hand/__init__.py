"""A layout -> the likeliest hand that is legal under the rules, and what to ask about it."""
