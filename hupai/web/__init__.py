"""The server: API, phone page, health. Nothing here is imported before `hupai serve` runs."""
