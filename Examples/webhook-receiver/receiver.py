#!/usr/bin/env python3
"""Receives events of ledgerd: verifies each, and stores it once.

    pip install standardwebhooks
    WEBHOOK_SECRET=whsec_... python3 receiver.py --port 9000 --database events.db

Kill it at any point and start it again: every event is stored, none twice, and each user's coins are those of the last
event. docs/webhooks.md explains the rules that it follows.
"""

import argparse
import http.server
import os
import sqlite3

from standardwebhooks import Webhook, WebhookVerificationError

SCHEMA = """
CREATE TABLE IF NOT EXISTS event (seq INTEGER NOT NULL UNIQUE, user TEXT, type TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS place (user TEXT PRIMARY KEY, seq INTEGER NOT NULL);
"""


def store(database, seq, event, body):
    """Stores an event and the user's place in one transaction. Returns whether it is new."""
    with sqlite3.connect(database, timeout=10, isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        row = (seq, event.get("user"), event["type"], body)
        new = connection.execute("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?)", row).rowcount == 1
        # Whatever the event makes you do to your own tables belongs here, in the same transaction.
        if new:
            connection.execute(
                "INSERT INTO place VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET seq = max(seq, excluded.seq)",
                (event.get("user") or "", seq))
        connection.execute("COMMIT")
        return new


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = self.server.webhook.verify(body, headers)
        except WebhookVerificationError as error:
            return self.answer(401, str(error))
        id = headers["webhook-id"]
        if not id.isdecimal():
            return self.answer(200, "a test")
        new = store(self.server.database, int(id), event, body.decode())
        # The answer comes after the commit: without it, ledgerd sends the event again.
        self.answer(200, "stored" if new else "known")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--database", default="events.db")
    arguments = parser.parse_args()
    with sqlite3.connect(arguments.database) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(SCHEMA)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Receiver)
    server.webhook = Webhook(os.environ["WEBHOOK_SECRET"])
    server.database = arguments.database
    print(f"serving address=127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
