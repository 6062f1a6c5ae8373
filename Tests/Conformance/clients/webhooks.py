"""The webhook of docs/clients.md with altered ones, and what asks a program of the page about each."""

import base64
import dataclasses
import hmac
import json
import re


@dataclasses.dataclass
class Case:
    """A webhook at a moment, and whether it is genuine then. A header can be missing: None."""

    secret: str
    id: str | None
    timestamp: str | None
    signatures: str | None
    body: str
    now: int
    is_genuine: bool = False

    @property
    def headers(self):
        names = {"webhook-id": self.id, "webhook-timestamp": self.timestamp, "webhook-signature": self.signatures}
        return {name: value for name, value in names.items() if value is not None}


class Vector:
    """The webhook that the page shows."""

    def __init__(self, page):
        secret = re.search(r"`(whsec_[A-Za-z0-9+/=]+)`", page)[1]
        head, _, body = re.search(r"^```http\n(.*?)\n```$", page, re.M | re.S)[1].partition("\n\n")
        headers = dict(line.split(": ", 1) for line in head.splitlines())
        timestamp, signature = headers["webhook-timestamp"], headers["webhook-signature"]
        self.case = Case(secret, headers["webhook-id"], timestamp, signature, body, int(timestamp), True)

    def cases(self):
        """It, at the first and at the last moment and while the secret is replaced; and each that is not genuine."""
        it, false = self.case, dataclasses.replace
        sent = it.now
        other = "whsec_" + base64.b64encode(b"x" * 32).decode()
        genuine = [it, false(it, now=sent - 300), false(it, now=sent + 300),
                   false(it, signatures=f"v1,AAAA v1a,AAAA {it.signatures}")]
        altered = [{"now": sent - 301}, {"now": sent + 301}, {"id": "8124"}, {"timestamp": str(sent + 1)}, {"secret": other},
                   {"body": it.body + " "}, {"signatures": "v1,AAAA"}, {"signatures": it.signatures.replace("v1,", "v2,")},
                   {"signatures": ""}, {"signatures": None}, {"id": None}, {"id": ""}, {"timestamp": None}, {"timestamp": "soon"},
                   {"timestamp": "9" * 5000}, {"secret": "whsec_", "signatures": self.signed_without_a_secret()}]
        return genuine + [false(it, is_genuine=False, **change) for change in altered]

    def signed_without_a_secret(self):
        """What anybody can sign for a receiver that has no secret."""
        content = f"{self.case.id}.{self.case.timestamp}.{self.case.body}"
        return "v1," + base64.b64encode(hmac.digest(b"", content.encode(), "sha256")).decode()


def in_python(code, cases):
    asked = [(case.secret, case.headers, case.body.encode(), case.now) for case in cases]
    return "webhooks.py", f"{code}\n\nfor case in {asked!r}:\n    print(is_genuine(*case))\n"


def in_typescript(code, cases):
    asked = json.dumps([(case.secret, case.headers, case.body, case.now) for case in cases])
    return "webhooks.mjs", (
        f"{code}\nfor (const [secret, headers, body, now] of {asked})\n"
        "    console.log(isGenuine(secret, headers, Buffer.from(body), now));\n")


def in_java(code, cases):
    # java runs the first class of a file.
    imports, name, rest = code.partition("class Webhooks")
    lines = "".join(
        "System.out.println(Webhooks.isGenuine("
        + ", ".join(json.dumps(value) for value in (case.secret, case.id, case.timestamp, case.signatures))
        + f", Webhooks.bytes({json.dumps(case.body)}), Instant.ofEpochSecond({case.now}L)));\n" for case in cases)
    main = f"class Main {{\npublic static void main(String[] arguments) throws Exception {{\n{lines}}}\n}}\n"
    return "Main.java", imports + main + name + rest


# What asks about each case, by language: the file and its code, which prints true or false.
TESTERS = {"python": in_python, "typescript": in_typescript, "java": in_java}
