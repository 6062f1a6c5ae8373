#!/bin/sh
# The Python environment that the tests' tools share, with what one of them needs: prints the folder of its programs.
#
#   python.sh REQUIREMENTS [NAME]
#
# NAME is for packages that can't be beside the others (default: tools). The environment is made at first use, in
# .ledgerd/python, by Debian's python3 with venv; packages are added when a file of requirements is new or was changed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
requirements=$1 name=${2:-tools}
environment=$here/../.ledgerd/python/$name
installed=$environment/requirements/$(cksum <"$requirements" | tr ' ' -)

mkdir -p "$environment/requirements"
# Tests start several tools at once.
exec 9>"$environment/lock"
flock 9
if [ ! -e "$installed" ]; then
    python3 -m venv "$environment" >&2
    # The pages' list is complete, so it tells the versions for all, and leaves one package out that nothing needs.
    case $requirements in
        */Pages/*) set -- --no-deps ;;
        *) set -- ;;
    esac
    [ "$name" != tools ] || set -- "$@" --constraint "$here/Pages/requirements.txt"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" --requirement "$requirements" >&2
    cp "$requirements" "$installed"
fi
echo "$environment/bin"
