"""Who may come in, how often, and with what right."""
