"""A small internet chess server, for xboard and others on loopback.

It behaves as the servers of the FICS family do, as far as their clients depend on it. python-chess knows most
of the rules.
"""
