"""The lake: a DuckLake of Parquet files under an SQL catalog. It stores games, and asks nothing."""
