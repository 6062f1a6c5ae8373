#!/bin/sh
# Checks the manifests of packaging/kubernetes, without a cluster.
#
#   run.sh
#
# Needs python3 with venv. Its packages are in an environment of their own, because checkov wants versions of its own.
# Prints a line for each check that fails, and at the end "N passed, N failed"; exits with 1 when any failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt" kubernetes)
PYTHONDONTWRITEBYTECODE=1 exec "$programs/python" "$here/check.py"
