"""New classifiers from old ones: between two points, by AND and OR, in chains, and along the hull."""
