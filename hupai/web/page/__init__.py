"""The page as browsers receive it: few files, compressed, under names that change with their content."""
