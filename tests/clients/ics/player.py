"""A connection: the login, then a line for each command."""

import asyncio

from . import ratings

PROMPT = "fics% "
WELCOME = """
            Welcome to a chess server like freechess.org, on loopback.

Enter "guest" to play without a name of your own.

login: """

# Telnet: no echo while a password is typed.
IAC, WILL, WONT, ECHO = 255, 251, 252, 1


class Disconnected(Exception):
    """The client has closed the connection."""


class Player:
    def __init__(self, lobby, reader, writer):
        self.name = None
        self.registered = False
        self.computer = False
        self.rating = 0
        self.milliseconds = False
        self.game = self.last_game = self.partner = self.asked = None
        self.had_white = False
        self._lobby, self._reader, self._writer = lobby, reader, writer
        self._queued = []

    @property
    def shown(self):
        return ratings.shown(self)

    def queue(self, *lines):
        """Queues lines, which are sent after the command that causes them."""
        self._queued += [line for line in lines if line is not None]

    def flush(self, commands):
        """Sends queued lines, and the prompt."""
        if self._queued or commands:
            own = [] if commands else [""]
            self._send("\n".join([*own, *self._queued, PROMPT]))
            self._queued = []

    async def stays(self):
        """Runs the connection from the login to its end."""
        try:
            await self._logs_in()
            while True:
                self._lobby.execute(self, await self._line())
                await self._writer.drain()
        except (Disconnected, ConnectionError):
            pass
        finally:
            self._lobby.leaves(self)
            self._writer.close()

    async def _logs_in(self):
        self._send(WELCOME)
        while not self.name:
            name = (await self._line()).strip()
            if name.lower() in ("guest", "g"):
                name = self._lobby.new_guest()
            account = self._lobby.accounts.get(name)
            if not name.isalpha() or not 3 <= len(name) <= 17:
                self._send("\nA name is made of 3 to 17 letters. Try again.\nlogin: ")
                continue
            if account:
                self._send(f'\n"{name}" is a registered name.  If it is yours, type the password.\n')
                self._send("If not, just hit return to try another name.\n\npassword: ")
            else:
                self._send(f'\n"{name}" is not a registered name.  You may use this name to play unrated games.\n')
                self._send(f'\nPress return to enter the server as "{name}":')
            self._telnet(WILL)
            password = await self._line()
            self._telnet(WONT)
            if account and password != account.password:
                self._send("\n**** Invalid password! ****\n\nlogin: ")
            elif name in self._lobby.players:
                self._send(f"\n**** {name} is already logged in ****\n\nlogin: ")
            else:
                self._enters(name, account)

    def _enters(self, name, account):
        self.name, self.registered = name, account is not None
        if account:
            self.rating, self.computer = account.rating, account.computer
        title = "(C)" if self.computer else "" if self.registered else "(U)"
        self._send(f"\n**** Starting session as {name}{title} ****\n\n{PROMPT}")
        self._lobby.players[name] = self

    async def _line(self):
        """The next line, without telnet's own commands."""
        try:
            raw = await self._reader.readuntil(b"\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise Disconnected from None
        while (start := raw.find(IAC)) >= 0:
            raw = raw[:start] + raw[start + 3 :]
        line = raw.decode("latin-1").rstrip("\r\n")
        self._lobby.logs(self.name, "<", line)
        return line

    def _send(self, text):
        self._lobby.logs(self.name, ">", text)
        if not self._writer.is_closing():
            self._writer.write(text.replace("\n", "\n\r").encode("latin-1"))

    def _telnet(self, option):
        self._writer.write(bytes([IAC, option, ECHO]))

    def goes(self):
        """Handles `quit`, and the server's shutdown."""
        self._send("Logging you out.\n")
        self._writer.close()
