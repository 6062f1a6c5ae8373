#!/bin/sh
# Checks the running simulated stores with the stores' own client libraries.
#
#   run.sh STORES_URL
#
# STORES_URL is where portone-sandbox --stores-listen serves, with its defaults. Needs python3 with venv. Its packages are
# in an environment of their own, because they want newer ones than other checks. Prints a line for each check that fails,
# and at the end "N passed, N failed"; exits with 1 when any failed.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: run.sh STORES_URL" >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt" stores)
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/.." exec "$programs/python" "$here/stores.py" "$1"
