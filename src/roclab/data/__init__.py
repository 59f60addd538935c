"""The way in: arrays, data frames and files become validated ``Cases``; nothing is guessed."""
