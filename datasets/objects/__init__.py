"""What lies beside tiles or could be taken for them."""
