"""What is labelled: folders, archives, stores."""
