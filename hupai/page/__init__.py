"""The page as browsers receive it: compressed files at addresses that change with the content of any of them."""
