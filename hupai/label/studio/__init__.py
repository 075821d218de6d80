"""hupai as the ML backend of Label Studio: predicts its tasks and learns from finished ones."""
