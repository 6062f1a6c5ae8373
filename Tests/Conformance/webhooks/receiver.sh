#!/bin/sh
# Runs the Python example of a receiver with its packages, which it installs beside this script (or into RECEIVER_VENV).
#
#   WEBHOOK_SECRET=whsec_… receiver.sh [--port N] [--database FILE]
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
example=$here/../../../Examples/webhook-receiver
programs=$("$here/../../python.sh" "$example/requirements.txt")
PYTHONDONTWRITEBYTECODE=1 exec "$programs/python" "$example/receiver.py" "$@"
