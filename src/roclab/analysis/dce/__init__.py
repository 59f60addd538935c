"""Questions about lesions in DCE-MRI: train, apply, evaluate, montage."""
