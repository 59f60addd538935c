"""What other programs write of scans, in the columns and images that every verb here takes."""
