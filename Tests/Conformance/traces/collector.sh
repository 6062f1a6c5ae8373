#!/bin/sh
# A collector of OpenTelemetry traces for tests: see collector.py. It becomes that program.
#
#   collector.sh [OPTION...]
#
# Needs python3 with venv and pip; the packages of requirements.txt are installed into TRACES_VENV (default: .venv beside
# this script).
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=${TRACES_VENV:-$here/.venv}

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv" >&2
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" "$here/collector.py" "$@"
