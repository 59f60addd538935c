"""Lungs in chest CT: where they are, what lies in them, and what it looks like."""
