"""What the examples of the source share."""

# Imported before pytest imports a file by itself: that would put the module where the function of its name belongs.
import isocost.measures  # noqa: F401
