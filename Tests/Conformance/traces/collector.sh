#!/bin/sh
# A collector of OpenTelemetry traces and metrics for tests: see collector.py. It becomes that program.
#
#   collector.sh [OPTION...]
#
# Needs python3 with venv.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../../python.sh" "$here/requirements.txt")
PYTHONDONTWRITEBYTECODE=1 exec "$programs/python" "$here/collector.py" "$@"
