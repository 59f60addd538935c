"""Files as named columns: delimited text, workbooks, Parquet and Arrow."""
