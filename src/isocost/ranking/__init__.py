"""Rows in the order of one score: sorted, split, counted, and the hull that follows from them."""
