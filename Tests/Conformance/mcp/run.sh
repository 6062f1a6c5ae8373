#!/bin/sh
# Calls the tools of a running service with the Model Context Protocol's own client, over HTTP and through `ledgerd mcp`.
#
# The environment is what ./dev up writes to dev.env. Needs python3 with venv. Exits with 1 when anything failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt" mcp)
export PYTHONDONTWRITEBYTECODE=1
"$programs/python" "$here/check.py"
