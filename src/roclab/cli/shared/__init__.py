"""What commands share: options, data, output, progress, and errors in the words of the command line."""
