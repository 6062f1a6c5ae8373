#!/usr/bin/env python3
"""One user with thousands of connections, and another who only wants to present a receipt.

Run it against a house of ./dev up, on 127.0.0.1 only:

    ./dev up --detach && Tests/Abuse/one_user.py .ledgerd

The attacker keeps every connection busy with receipts of payments that nobody made. The victim presents receipts of true
payments, one after the other. It prints the victim's latency without and with the attack, and the service's memory.
"""
import argparse
import base64
import hashlib
import hmac
import http.client
import json
import multiprocessing
import os
import resource
import select
import socket
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("data", help="the data directory of ./dev up")
parser.add_argument("--connections", type=int, default=4000, choices=range(1, 10_001), metavar="1..10000")
parser.add_argument("--seconds", type=int, default=15, choices=range(1, 121), metavar="1..120", help="of each attack")
parser.add_argument("--receipts", type=int, default=200, help="the victim's, at most, in each part")
arguments = parser.parse_args()

house = dict(
    line.rstrip("\n").split("=", 1) for line in open(os.path.join(arguments.data, "dev.env")) if not line.startswith("#"))
run = os.urandom(4).hex()


def address(url):
    host, port = url.removeprefix("http://").split(":")
    assert host == "127.0.0.1", "loads stay on this machine"
    return host, int(port)


def token(subject):
    def encode(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    claims = {"sub": subject, "scope": "user", "exp": int(time.time()) + 3600}
    signed = encode(b'{"alg":"HS256","typ":"JWT"}') + b"." + encode(json.dumps(claims).encode())
    code = hmac.new(house["JWT_SECRET"].encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + encode(code)).decode()


def receipt(api, name):
    if api == "v2":
        return json.dumps({"payment_id": name})
    return json.dumps({"imp_uid": "imp_" + name, "merchant_uid": name})


def attack(api, counts, ready):
    """Keeps every connection busy until it is ended; counts the answers by status."""
    host, port = address(house["LEDGERD_URL"])
    head = f"POST /v1/receipts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token('attacker')}\r\n"
    number = 0

    def request():
        nonlocal number
        number += 1
        body = receipt(api, f"none-{run}-{number}")
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    poll = select.epoll()
    connections = {}

    def connect():
        connection = socket.create_connection((host, port))
        connection.setblocking(False)
        connections[connection.fileno()] = connection
        poll.register(connection.fileno(), select.EPOLLIN)
        connection.send(request())

    for _ in range(arguments.connections):
        connect()
    ready.set()
    while True:
        for descriptor, _ in poll.poll():
            connection = connections[descriptor]
            try:
                answer = connection.recv(65536)
                if answer:
                    counts[int(answer[9:12])] += 1
                    connection.send(request())
                    continue
            except OSError:
                pass
            counts[0] += 1
            poll.unregister(descriptor)
            connections.pop(descriptor).close()
            connect()


def pay(api, names):
    gateway = http.client.HTTPConnection(*address(house["SANDBOX_URL"]))
    for name in names:
        payment = {"merchant_uid": name, "amount": 1000, "version": api.upper()}
        if api == "v1":
            payment["imp_uid"] = "imp_" + name
        gateway.request("POST", "/sandbox/payments", json.dumps(payment), {"Content-Type": "application/json"})
        answer = gateway.getresponse()
        text = answer.read()
        assert answer.status == 201, text


def present(api, names, seconds):
    """The victim: one receipt after the other; milliseconds and statuses."""
    service = http.client.HTTPConnection(*address(house["LEDGERD_URL"]), timeout=60)
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + token("victim-" + run)}
    end = time.monotonic() + seconds
    taken, statuses = [], {}
    for name in names:
        if time.monotonic() > end:
            break
        start = time.monotonic()
        service.request("POST", "/v1/receipts", receipt(api, name), headers)
        answer = service.getresponse()
        answer.read()
        taken.append((time.monotonic() - start) * 1000)
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        time.sleep(0.02)
    return sorted(taken), statuses


def memory():
    pid = open(os.path.join(arguments.data, "ledgerd.pid")).read().strip()
    return int(next(l for l in open(f"/proc/{pid}/status") if l.startswith("VmRSS")).split()[1]) // 1024


def told(what, taken, statuses):
    at = lambda share: taken[min(len(taken) - 1, int(len(taken) * share))]
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    print(f"  {what}: p50 {at(.5):.1f} ms, p99 {at(.99):.1f} ms; {answers}", flush=True)
    return at(.5)


resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
for api in ("v1", "v2"):
    print(f"{api}, {arguments.connections} connections of one user")
    names = [f"true-{api}-{run}-{number}" for number in range(2 * arguments.receipts)]
    pay(api, names)
    present(api, names[:20], 60)
    alone = told("victim, unloaded", *present(api, names[20:arguments.receipts], 60))
    before = memory()
    counts = multiprocessing.Array("l", 600, lock=False)
    ready = multiprocessing.Event()
    attacker = multiprocessing.Process(target=attack, args=(api, counts, ready), daemon=True)
    attacker.start()
    assert ready.wait(60), "the connections could not be made"
    time.sleep(4)
    began = list(counts)
    start = time.monotonic()
    attacked = told("victim, attacked", *present(api, names[arguments.receipts:], arguments.seconds))
    seconds = time.monotonic() - start
    answers = {s: c - b for s, (c, b) in enumerate(zip(counts, began)) if c > b}
    print(f"  p50 {attacked / alone:.1f} times the unloaded one; memory {before} → {memory()} MB")
    print(f"  attacker: " + (", ".join(f"{c / seconds:.0f}/s × {s}" for s, c in answers.items()) or "no answer"))
    attacker.terminate()
    attacker.join()
    time.sleep(12)
