"""Reading JSON that others wrote: strictly, with a place to point at, and many texts at once."""
