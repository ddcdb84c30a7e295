"""The lake: a DuckLake of Parquet files with an SQL catalog. It only stores games."""
