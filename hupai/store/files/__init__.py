"""What lies in files: learned tile sets and labelled samples."""
