"""Planning a study: sample size, power and detectable area."""
