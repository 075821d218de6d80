"""What cameras tell: events of watched tables, and to whom they were delivered."""
