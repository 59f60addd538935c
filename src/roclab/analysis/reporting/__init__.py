"""What a report says: every number, finding and method of it, before anything is laid out."""
