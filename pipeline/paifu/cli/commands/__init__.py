"""The commands of ``paifu``, a module and a function of the same name each."""
