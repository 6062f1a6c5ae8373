#!/bin/sh
# Builds the container image from the Debian package, without a Docker engine: mmdebstrap makes Debian, buildah the image.
# Needs root. ./dev image calls it.
#
# usage: image.sh PACKAGE OUTPUT
#   PACKAGE   the .deb
#   OUTPUT    directory for ledgerd_VERSION_ARCHITECTURE.docker.tar, which podman and docker can load
set -eu

package=$(realpath -- "$1")
mkdir -p "$2"
output=$(realpath -- "$2")
version=$(dpkg-deb --field "$package" Version)
architecture=$(dpkg-deb --field "$package" Architecture)
archive=$output/ledgerd_${version}_$architecture.docker.tar
work=$(mktemp -d)
finish() {
    [ -z "${container:-}" ] || buildah rm "$container" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Only the package's dependencies and Debian's essential packages; no documentation except licences.
root=$work/root
# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mmdebstrap --quiet --variant=essential \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --include="$(dpkg-deb --field "$package" Depends | sed 's/ ([^)]*)//g; s/, /,/g')" \
    "$codename" "$root"
cp "$package" "$root/ledgerd.deb"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin dpkg --install /ledgerd.deb >/dev/null
# The operator of the container provides settings and secrets.
rm -r "$root/ledgerd.deb" "$root/etc/ledgerd"
echo 'ledgerd:x:10001:10001:ledgerd:/:/usr/sbin/nologin' >>"$root/etc/passwd"
echo 'ledgerd:x:10001:' >>"$root/etc/group"

# For a volume with the files of `ledgerd init`: a new volume gets the folder's owner.
mkdir -m 700 "$work/settings"

# Docker's format, because OCI's has no health check.
export BUILDAH_FORMAT=docker
container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / >/dev/null
buildah add --quiet --chown 10001:10001 "$container" "$work/settings" /var/lib/ledgerd >/dev/null
buildah config \
    --user 10001:10001 --workingdir / --port 8080 \
    --entrypoint '["/usr/bin/ledgerd"]' --stop-signal SIGTERM \
    --env LEDGERD_LISTEN=0.0.0.0:8080 \
    --healthcheck 'CMD /usr/bin/ledgerd health' --healthcheck-interval 10s --healthcheck-timeout 6s \
    --healthcheck-start-period 60s --healthcheck-retries 3 \
    --label org.opencontainers.image.title=ledgerd --label "org.opencontainers.image.version=$version" \
    --label org.opencontainers.image.licenses=Apache-2.0 "$container"
buildah config --cmd serve "$container"
buildah commit --quiet "$container" "localhost/ledgerd:$version" >/dev/null
rm -f "$archive"
buildah push --quiet "localhost/ledgerd:$version" "docker-archive:$archive:localhost/ledgerd:$version"
echo "$archive"
