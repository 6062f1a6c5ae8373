#!/bin/sh
# Builds packaging/Containerfile with buildah, and starts what it made. In the place of Swift's image and of docker.io's Debian
# are ones that are made here, of Debian's packages and the toolchain of this machine: a machine that builds may not reach a
# registry. Needs root, buildah, mmdebstrap, some GB below TMPDIR, and the network. ./dev image --test calls it.
#
# usage: containerfile.sh TOOLCHAIN
#   TOOLCHAIN    the folder that has usr/bin/swift
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
toolchain=$(realpath -- "$1")
work=$(mktemp -d)

say() { printf '%s\n' "$*" >&2; }
die() { say "FAILED: $*"; exit 1; }

finish() {
    status=$?
    trap '' INT TERM HUP
    buildah rm --all >/dev/null 2>&1 || true
    umount "$work/storage/overlay" 2>/dev/null || true
    rm -rf --one-file-system "$work"
    exit "$status"
}
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap finish EXIT

if [ ! -x "$toolchain/usr/bin/swift" ] || [ "$toolchain" = / ]; then die "$toolchain is no toolchain of its own"; fi
cat >"$work/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
END
export CONTAINERS_STORAGE_CONF="$work/storage.conf" BUILDAH_FORMAT=docker BUILDAH_ISOLATION=chroot

# make_base NAME PACKAGES: Debian with these packages, and apt to get more.
make_base() {
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=apt --include="$2" "$codename" "$work/root"
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$work/root" / >/dev/null
    buildah config --env "PATH=/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$container"
    buildah commit --quiet --rm "$container" "localhost/$1:latest" >/dev/null
    rm -rf "$work/root"
}

# build STAGE NAME
build() {
    buildah bud --quiet --layers --network host --volume "$toolchain:/toolchain:ro" --volume "$work/cache:/root/.cache" \
        --build-arg SWIFT=localhost/base-swift --build-arg DEBIAN=localhost/base-debian --build-arg COMMIT=test \
        --file "$source/packaging/Containerfile" ${1:+--target "$1"} --tag "localhost/$2:latest" "$source" \
        >"$work/log" 2>&1 || die "$2 is not built: $(tail -n 30 "$work/log")"
}

# starts NAME TEXT COMMAND…: the image's command, as its user, prints TEXT.
starts() {
    name=$1 text=$2
    shift 2
    container=$(buildah from "localhost/$name:latest")
    found=$(buildah run "$container" -- "$@" 2>&1) || die "$name does not start: $found"
    case $found in *"$text"*) ;; *) die "$name: expected '$text', got '$found'" ;; esac
    case $(buildah run "$container" -- id -u) in 10001) ;; *) die "$name has another user" ;; esac
    swift=$(find "$(buildah mount "$container")/usr" -iname '*libswift*')
    [ -z "$swift" ] || die "$name holds Swift: $swift"
    buildah rm "$container" >/dev/null
    say "ok: $name is built, and starts without Swift as a user without rights"
}

# What the packages of Swift are got into, and those of this machine, so that they are not got again.
mkdir "$work/cache"
if [ -d "$HOME/.cache/org.swift.swiftpm" ]; then cp -r "$HOME/.cache/org.swift.swiftpm" "$work/cache/"; fi
make_base base-swift \
    binutils,ca-certificates,git,gcc,g++,libc6-dev,libcurl4,libedit2,libncurses6,libsqlite3-0,libxml2,libz3-4,pkg-config,python3,tzdata,zlib1g-dev
make_base base-debian ca-certificates
say "building the images of packaging/Containerfile (some ten minutes)"
build '' ledgerd
build sandbox ledgerd-sandbox
build shop ledgerd-shop
starts ledgerd 'commit test, built' /usr/bin/ledgerd --version
starts ledgerd-sandbox 'USAGE: portone-sandbox' /usr/bin/portone-sandbox --help
starts ledgerd-shop 'USAGE: demo-shop' /usr/bin/demo-shop --help
say "packaging/Containerfile works"
