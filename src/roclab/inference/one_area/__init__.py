"""One area: its standard error, interval, test and bootstrap."""
