"""Images made by rule, of which the truth is known."""
