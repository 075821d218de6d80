"""Networks as ONNX files: made of checkpoints, in eight bits, and checkpoints again."""
