"""Retries for a generated client, by the rules of docs/clients.md.

    client = AuthenticatedClient(base_url=…, token=…, httpx_args={"transport": Retries()})
"""

import time

import httpx


class Retries(httpx.BaseTransport):
    """Sends a request until its response is final, at most five times. What has to be sent only once is sent only once."""

    def __init__(self, transport=None, sleep=time.sleep):
        self.transport = transport or httpx.HTTPTransport()
        self.sleep = sleep

    def handle_request(self, request):
        for pause in (0.25, 0.5, 1, 2) if is_repeatable(request) else ():
            try:
                response = self.transport.handle_request(request)
                response.read()
            except httpx.TransportError:
                self.sleep(pause)
                continue
            asked = response.headers.get("Retry-After", "")
            asked = int(asked) if asked.isdecimal() else 0
            if not is_retryable(response) or asked > 30:
                return response
            self.sleep(max(pause, asked))
        return self.transport.handle_request(request)

    def close(self):
        self.transport.close()


def is_repeatable(request):
    """Whether a second time has no further effect. A POST needs a key, unless it presents a receipt, which is one."""
    return (request.method in ("GET", "PUT", "DELETE") or "Idempotency-Key" in request.headers
            or request.url.path.endswith("/receipts"))


def is_retryable(response):
    """Whether the same request may succeed later."""
    if response.status_code < 400:
        return False
    by_a_proxy = response.status_code in (408, 429) or response.status_code >= 500
    try:
        return response.json().get("retryable", by_a_proxy)
    except (ValueError, AttributeError):
        return by_a_proxy
