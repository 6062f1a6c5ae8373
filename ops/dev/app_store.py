"""Prints ledgerd's settings for a simulated App Store, for a shell.

    app_store.py STORES_URL ROOT

ROOT is the file that the root certificate is written to."""

import base64
import json
import shlex
import ssl
import sys
import urllib.request


def main(url, root):
    with urllib.request.urlopen(url + "/sandbox/apple", timeout=60) as answer:
        app = json.load(answer)
    with open(root, "w", encoding="ascii") as file:
        file.write(ssl.DER_cert_to_PEM_cert(base64.b64decode(app["root_certificate"])))
    settings = {
        "URL": url + "/apple/production", "SANDBOX_URL": url + "/apple/sandbox", "BUNDLE_ID": app["bundle_id"],
        "APP_ID": app["app_apple_id"], "ISSUER_ID": app["issuer_id"], "KEY_ID": app["key_id"],
        "PRIVATE_KEY": app["private_key"], "ROOT_CERTIFICATES": root, "REVOCATION": "off", "FINISH": "true"}
    for name, value in settings.items():
        print(f"LEDGERD_APP_STORE_{name}={shlex.quote(str(value))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
