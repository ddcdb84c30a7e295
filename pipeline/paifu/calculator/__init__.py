"""The hand calculator: hands and their circumstances as people write them, scored."""
