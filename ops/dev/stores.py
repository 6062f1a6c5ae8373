"""Prints ledgerd's settings for the simulated stores, for a shell.

    stores.py STORES_URL ROOT

ROOT is the file that the App Store's root certificate is written to."""

import base64
import json
import shlex
import ssl
import sys
import urllib.request


def read(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def app_store(url, root):
    app = read(url + "/sandbox/apple")
    with open(root, "w", encoding="ascii") as file:
        file.write(ssl.DER_cert_to_PEM_cert(base64.b64decode(app["root_certificate"])))
    return {
        "URL": url + "/apple/production", "SANDBOX_URL": url + "/apple/sandbox", "BUNDLE_ID": app["bundle_id"],
        "APP_ID": app["app_apple_id"], "ISSUER_ID": app["issuer_id"], "KEY_ID": app["key_id"],
        "PRIVATE_KEY": app["private_key"], "ROOT_CERTIFICATES": root, "REVOCATION": "off", "FINISH": "true"}


def google_play(url):
    app = read(url + "/sandbox/google")
    return {
        "URL": app["urls"]["api"], "PACKAGE": app["package_name"], "ACCOUNT": json.dumps(app["service_account"]),
        "PUSH_SUBSCRIPTION": app["subscription"], "PUSH_AUDIENCE": app["push_audience"],
        "PUSH_SENDER": app["push_email"], "PUSH_KEYS_URL": app["urls"]["jwks"]}


def main(url, root):
    for store, settings in (("APP_STORE", app_store(url, root)), ("GOOGLE_PLAY", google_play(url))):
        for name, value in settings.items():
            print(f"LEDGERD_{store}_{name}={shlex.quote(str(value))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
