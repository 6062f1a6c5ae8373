#!/bin/sh
# Checks the pages of a running service, its sandbox gateway and the demo shop in Chromium: at the width of a phone and of
# a desktop, in light and in dark mode. Buys coins in the shop with scripts off.
#
#   run.sh [--screenshots DIR]      keeps pictures of what was checked
#   run.sh --pictures DIR           only makes the pictures of the documentation
#
# Needs the variables of dev.env, Debian's chromium and chromium-driver, and python3 with venv. Prints a line for each
# check that fails, and "N passed, N failed" for the public pages and for the console; exits with 1 when any failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$("$here/../python.sh" "$here/requirements.txt")
export PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = --pictures ]; then
    shift
    exec timeout 600 "$programs/python" "$here/screenshots.py" "$@"
fi
sound=0
timeout 600 "$programs/python" "$here/pages.py" "$@" || sound=1
timeout 1200 "$programs/python" "$here/console.py" "$@" || sound=1
exit "$sound"
