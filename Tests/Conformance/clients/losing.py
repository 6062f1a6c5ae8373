"""A network that loses responses, or never has one: what a client has to survive."""

import contextlib
import http.server
import threading
import urllib.error
import urllib.request

FAILURE = b'{"status": 503, "code": "overloaded", "retryable": true}'


class Losing(http.server.BaseHTTPRequestHandler):
    """Passes each request on. The first response is lost, the second is replaced by a 503, further ones arrive."""

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        names = ("Authorization", "Content-Type", "Idempotency-Key")
        headers = {name: self.headers[name] for name in names if self.headers[name]}
        status, answer = self.ask(headers, body)
        request = (self.command, self.path, headers.get("Idempotency-Key"), body)
        with self.server.lock:
            times = self.server.sent[request] = self.server.sent.get(request, 0) + 1
        self.close_connection = True
        if times == 1:
            return
        if times == 2:
            status, answer = 503, FAILURE
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = pass_on

    def ask(self, headers, body):
        request = urllib.request.Request(
            self.server.target + self.path, body or None, headers, method=self.command)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def log_message(self, *arguments):
        pass


class Overloaded(http.server.BaseHTTPRequestHandler):
    """Responds to all requests that they may succeed in an hour."""

    def put_off(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(503)
        self.send_header("retry-after", "3600")
        self.send_header("content-length", str(len(FAILURE)))
        self.end_headers()
        self.wfile.write(FAILURE)

    do_GET = do_POST = put_off

    def log_message(self, *arguments):
        pass


def losing(target):
    """Lends a network to this address that loses responses. Its `sent` counts how often each request was sent."""
    return network(Losing, target)


def overloaded():
    """Lends a network on which nothing succeeds."""
    return network(Overloaded)


@contextlib.contextmanager
def network(handler, target=None):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.target, server.sent, server.lock = target, {}, threading.Lock()
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
