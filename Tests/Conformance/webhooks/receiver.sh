#!/bin/sh
# Runs the Python example of a receiver with its packages, which it installs beside this script (or into RECEIVER_VENV).
#
#   WEBHOOK_SECRET=whsec_… receiver.sh [--port N] [--database FILE]
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
example=$here/../../../Examples/webhook-receiver
venv=${RECEIVER_VENV:-$here/.venv}

if ! cmp -s "$example/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$example/requirements.txt"
    cp "$example/requirements.txt" "$venv/requirements.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" "$example/receiver.py" "$@"
