"""isocost inside other people's programs; each module needs the extra of its name."""
