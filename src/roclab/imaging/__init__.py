"""Images: detectors of lesions, and how good they are. Research use, not a medical device."""
