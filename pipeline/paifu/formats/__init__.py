"""The log formats: every folder here that has an ``importer.py`` is one."""
