"""Resamples of the cases: one protocol, a plain engine that draws every case, and fast ones that agree with it."""
