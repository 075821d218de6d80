"""What is stored in files: learned tile sets and labelled samples."""
