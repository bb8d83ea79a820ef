"""The clocks of a game. The caller passes the time."""

# Games of 0 minutes start with that.
SHORTEST = 10_000


class Clock:
    """Milliseconds left for each side; runs when both have made a move."""

    def __init__(self, minutes, increment):
        self.increment = increment * 1000
        self._left = [minutes * 60_000 or SHORTEST] * 2
        self._since = None

    @property
    def ticks(self):
        return self._since is not None

    def left(self, side, turn, now):
        """What a side has, while it is `turn`'s turn."""
        used = int((now - self._since) * 1000) if self.ticks and side == turn else 0
        return self._left[side] - used

    def moved(self, side, plies, now):
        """A side has made the move that ends this ply; returns the milliseconds it took."""
        before = self._left[side]
        self._left[side] = self.left(side, side, now)
        took = before - self._left[side]
        if self.ticks:
            self._left[side] += self.increment
        if self.ticks or plies >= 2:
            self._since = now
        return took

    def stop(self, turn, now):
        """The game is interrupted; moved() goes on from here."""
        self._left[turn] = self.left(turn, turn, now)
        self._since = None

    def go_on(self, now):
        self._since = now
