"""The clock of all that runs here: the service, its database, the stand-in gateway, and this program.

Tests/MovedClock moves it by what a file says. It only goes forward, as clocks do."""

import email.utils
import os
import time

from acts import require


class Clock:
    """`servers`: by name, what answers with a date."""

    def __init__(self, **servers):
        self.file, self.ahead, self.servers = os.environ["MOVED_CLOCK"], 0, servers

    def move_to(self, moment):
        """Returns when all processes have the new time: they read the file again after a second."""
        self.ahead += max(0, moment - time.time())
        with open(self.file + ".new", "w", encoding="ascii") as file:
            file.write(f"{self.ahead:.0f}\n")
        os.replace(self.file + ".new", self.file)
        time.sleep(3)
        require(time.time() >= moment, "the clock of this program is not moved")
        for name, server in self.servers.items():
            date = email.utils.parsedate_to_datetime(server.date()).timestamp()
            require(abs(date - time.time()) < 30, "another clock", name, date, "here", time.time())
