"""What needs no server: requests answered by the standard library, over HTTP and in the page without a server alike."""
