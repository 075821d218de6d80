"""hupai as the ML backend of a Label Studio: its tasks read, its finished tasks learned from."""
