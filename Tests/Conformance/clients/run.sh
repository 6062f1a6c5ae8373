#!/bin/sh
# Holds the OpenAPI document against two generators of clients, and runs a generated client and the programs of
# docs/clients.md against a running service.
#
# The environment is what ./dev up writes to dev.env. Needs python3 with venv. Programs in TypeScript and Java run if node
# and java are here. Exits with 1 when anything failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt" clients)
export PYTHONDONTWRITEBYTECODE=1
"$programs/python" "$here/generated.py"
"$programs/python" "$here/programs.py"
