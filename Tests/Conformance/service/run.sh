#!/bin/sh
# Holds a running service against its own OpenAPI document: answers.py goes through every operation, well and refused,
# and looks at each answer; then schemathesis asks whatever the document allows, and what it doesn't.
#
#   run.sh [EXAMPLES [SEED]]
#
# EXAMPLES of each kind are asked (25), drawn by SEED. It is fixed so that a run can be repeated; `random` draws others.
#
# The environment is what ./dev up writes to dev.env. Needs python3 with venv and pip; the packages of requirements.txt
# are installed into CONFORMANCE_VENV (default: .venv beside this script). Exits with 1 when anything failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=${CONFORMANCE_VENV:-$here/.venv}

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
export PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" "$here/answers.py"

seed=${2:-1}
[ "$seed" != random ] || seed=

# What it finds it keeps beside itself, so it works in a directory of its own.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PYTHONPATH=$here "$venv/bin/schemathesis" --config-file "$here/schemathesis.toml" run "$LEDGERD_URL/openapi.json" \
    --max-examples "${1:-25}" ${seed:+--seed "$seed"} --no-color
