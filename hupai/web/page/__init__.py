"""The page as browsers get it: few files, compressed, under names that change with what is in them."""
