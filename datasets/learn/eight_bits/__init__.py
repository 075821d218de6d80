"""Networks in eight bits."""
