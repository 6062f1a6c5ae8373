#!/bin/sh
# Holds a running service against its own OpenAPI document: answers.py goes through every operation, well and refused,
# and looks at each answer; then schemathesis asks whatever the document allows, and what it doesn't.
#
#   run.sh [EXAMPLES [SEED]]
#
# EXAMPLES of each kind are asked (25), drawn by SEED. It is fixed so that a run can be repeated; `random` draws others.
#
# The environment is what ./dev up writes to dev.env, with LEDGERD_TEST_STORES_PORT, where the simulated stores are. Needs python3 with venv. Exits with 1 when
# anything failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt")
export PYTHONDONTWRITEBYTECODE=1
"$programs/python" "$here/answers.py"

seed=${2:-1}
[ "$seed" != random ] || seed=

# What it finds it keeps beside itself, so it works in a directory of its own.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PYTHONPATH=$here "$programs/schemathesis" --config-file "$here/schemathesis.toml" run "$LEDGERD_URL/openapi.json" \
    --max-examples "${1:-25}" ${seed:+--seed "$seed"} --no-color
