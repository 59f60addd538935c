"""Dynamic contrast-enhanced MRI: kinetics, series of frames, signal space, networks and confidence volumes."""
