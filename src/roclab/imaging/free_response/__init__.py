"""Free-response ROC analysis: a detector marks places in scans, and lesions are where they are."""
