#!/bin/sh
# Checks a running stand-in gateway against PortOne's OpenAPI documents, and with client libraries not written here.
#
#   run.sh SANDBOX_URL
#
# The gateway must have its default credentials. Needs python3 with venv. Its packages are in an environment of
# their own, because a client library wants old ones. Prints a line for each check that fails, and at the end "N passed,
# N failed"; exits with 1 when any failed.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: run.sh SANDBOX_URL" >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../python.sh" "$here/requirements.txt" conformance)
PYTHONDONTWRITEBYTECODE=1 exec "$programs/python" "$here/conformance.py" "$1"
