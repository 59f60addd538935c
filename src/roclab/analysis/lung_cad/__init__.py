"""A lung CAD that is trained once and applied to new scans. Research use, not a medical device."""
