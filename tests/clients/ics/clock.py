"""A game's clocks. The caller provides the current time."""

# Initial time of games of 0 minutes.
SHORTEST = 10_000


class Clock:
    """Milliseconds left for each side; runs once both have moved."""

    def __init__(self, minutes, increment):
        self.increment = increment * 1000
        self._left = [minutes * 60_000 or SHORTEST] * 2
        self._since = None

    @property
    def ticks(self):
        return self._since is not None

    def left(self, side, turn, now):
        """A side's time left, with `turn` to move."""
        used = int((now - self._since) * 1000) if self.ticks and side == turn else 0
        return self._left[side] - used

    def moved(self, side, plies, now):
        """Ends a side's ply; returns its duration in milliseconds."""
        before = self._left[side]
        self._left[side] = self.left(side, side, now)
        took = before - self._left[side]
        if self.ticks:
            self._left[side] += self.increment
        if self.ticks or plies >= 2:
            self._since = now
        return took

    def stop(self, turn, now):
        """Stops the clock; moved() restarts it."""
        self._left[turn] = self.left(turn, turn, now)
        self._since = None

    def go_on(self, now):
        self._since = now
