"""Reader studies: several readers read the same cases in one modality or several, and both are samples."""
