"""Upper hulls and lower envelopes, of one curve and of many at once."""
