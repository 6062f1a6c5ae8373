#!/bin/sh
# Builds the container image from the Debian package, without a Docker engine: mmdebstrap makes Debian, and tar the archive.
# The same package makes the same image, byte for byte, as long as Debian's archive has the same packages. Needs root.
# ./dev image calls it.
#
# usage: image.sh PACKAGE OUTPUT SWIFT
#   PACKAGE   the .deb
#   OUTPUT    directory for ledgerd_VERSION_ARCHITECTURE.docker.tar, which podman and docker can load, and beside it
#             ledgerd_VERSION_ARCHITECTURE.docker.cdx.json, what the image contains
#   SWIFT     the version of the toolchain that built the package
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
package=$(realpath -- "$1")
mkdir -p "$2"
output=$(realpath -- "$2")
swift=$3
version=$(dpkg-deb --field "$package" Version)
architecture=$(dpkg-deb --field "$package" Architecture)
name=ledgerd_${version}_$architecture.docker
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
umask 022

# All times are the binary's in the package: that of its build.
dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work" ./usr/bin/ledgerd
SOURCE_DATE_EPOCH=$(stat -c %Y "$work/usr/bin/ledgerd")
export SOURCE_DATE_EPOCH
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)

# Only the package's dependencies and Debian's essential packages; no documentation except licences.
root=$work/root
make_root() {
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=essential \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --include="$(dpkg-deb --field "$package" Depends | sed 's/ ([^)]*)//g; s/, /,/g')" \
        "$codename" "$root"
    cp "$package" "$root/ledgerd.deb"
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
        dpkg --install /ledgerd.deb >/dev/null
    # The operator of the container provides settings and secrets.
    rm -r "$root/ledgerd.deb" "$root/etc/ledgerd"
    echo 'ledgerd:x:10001:10001:ledgerd:/:/usr/sbin/nologin' >>"$root/etc/passwd"
    echo 'ledgerd:x:10001:' >>"$root/etc/group"
    # For a volume with the files of `ledgerd init`: a new volume gets the folder's owner.
    install -d -o 10001 -g 10001 -m 700 "$root/var/lib/ledgerd"
    # What tells of the installation, and not of what is installed.
    find "$root/var/log" -type f -delete
    rm -f "$root/var/cache/ldconfig/aux-cache" "$root"/var/cache/debconf/*-old "$root"/var/lib/dpkg/*-old
}

# archive FOLDER FILE [OPTION…]: its files in order, without times and names of this machine.
archive() {
    folder=$1 file=$2
    shift 2
    tar --create --file "$file" --directory "$folder" --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
        --numeric-owner "$@"
}

sha256() { sha256sum "$1" | cut -d ' ' -f 1; }

# Docker's format, because OCI's has no health check.
write_configuration() {
    cat <<END
{"architecture":"$architecture","os":"linux","created":"$created",
"config":{"User":"10001:10001","WorkingDir":"/","ExposedPorts":{"8080/tcp":{}},
"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin","LEDGERD_LISTEN=0.0.0.0:8080"],
"Entrypoint":["/usr/bin/ledgerd"],"Cmd":["serve"],"StopSignal":"SIGTERM",
"Healthcheck":{"Test":["CMD","/usr/bin/ledgerd","health"],
"Interval":10000000000,"Timeout":6000000000,"StartPeriod":60000000000,"Retries":3},
"Labels":{"org.opencontainers.image.title":"ledgerd","org.opencontainers.image.version":"$version",
"org.opencontainers.image.licenses":"Apache-2.0"}},
"rootfs":{"type":"layers","diff_ids":["sha256:$1"]},
"history":[{"created":"$created","created_by":"packaging/image.sh"}]}
END
}

make_root
python3 "$here/sbom.py" ledgerd "$version" "$architecture" --swift "$swift" \
    --installed "$root/var/lib/dpkg/status" >"$output/$name.cdx.json"
image=$work/image
mkdir "$image"
# The engine provides devices.
archive "$root" "$image/layer.tar" --exclude='./dev/*' .
layer=$(sha256 "$image/layer.tar")
mv "$image/layer.tar" "$image/$layer.tar"
write_configuration "$layer" >"$image/configuration"
configuration=$(sha256 "$image/configuration").json
mv "$image/configuration" "$image/$configuration"
printf '[{"Config":"%s","RepoTags":["localhost/ledgerd:%s"],"Layers":["%s.tar"]}]\n' \
    "$configuration" "$version" "$layer" >"$image/manifest.json"
archive "$image" "$output/$name.tar" --owner=0 --group=0 --mode=644 manifest.json "$configuration" "$layer.tar"
echo "$output/$name.tar"
