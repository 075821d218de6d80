"""What is stored: games and their hands, house rules by name, learned tile sets, labelled samples."""
