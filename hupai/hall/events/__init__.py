"""Reports from cameras: events of watched tables, and the webhooks and brokers they were delivered to."""
