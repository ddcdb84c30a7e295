"""Where files are: folders, and S3-compatible object stores."""
