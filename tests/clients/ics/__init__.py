"""A small internet chess server on loopback, for xboard and scripted players.

It behaves like servers of the FICS family, as far as clients depend on it. python-chess provides most rules.
"""
