"""What everything else is made with: tiles as numbers, quickly made dataclasses, fields that ask."""
