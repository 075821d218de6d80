"""The server process: from settings to a listening socket."""
