#!/bin/sh
# The pgbouncer that tests put in front of a server: prints the folder of its program and libraries.
#
# It is got from Debian's packages at first use, into .ledgerd/pgbouncer: installing the package would start a server.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$here/../.ledgerd/pgbouncer"
cd "$here/../.ledgerd/pgbouncer"

# Tests start several at once.
exec 9>lock
flock 9
if [ ! -e bundle ]; then
    if [ "$(id -u)" = 0 ]; then apt-get update -qq >&2; else sudo apt-get update -qq >&2; fi
    # Beside it, what it needs that a server's machine has not.
    libraries=$(apt-cache depends pgbouncer | awk '/Depends: lib(event|c-ares)/ { print $2 }')
    rm -rf -- *.deb root new
    # shellcheck disable=SC2086 # words
    apt-get download -qq pgbouncer $libraries >&2
    for package in *.deb; do dpkg-deb -x "$package" root; done
    mkdir new
    find root -name 'lib*.so*' -exec cp -P {} new \;
    cp root/usr/sbin/pgbouncer new
    mv new bundle
    rm -r -- *.deb root
fi
echo "$PWD/bundle"
