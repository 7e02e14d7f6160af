"""What every result can do: show itself, turn into plain data, be drawn, and be written whole."""
