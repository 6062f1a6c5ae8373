#!/bin/sh
# Checks a running stand-in gateway against PortOne's OpenAPI documents, and with client libraries not written here.
#
#   run.sh SANDBOX_URL
#
# The gateway must have its default credentials. Needs python3 with venv and pip; the packages of requirements.txt are
# installed into CONFORMANCE_VENV (default: .venv beside this script). Prints a line for each check that fails, and at
# the end "N passed, N failed"; exits with 1 when any failed.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: run.sh SANDBOX_URL" >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=${CONFORMANCE_VENV:-$here/.venv}

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" "$here/conformance.py" "$1"
