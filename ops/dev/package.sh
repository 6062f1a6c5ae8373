# shellcheck shell=sh
# ./dev package and ./dev image.

packages=$root/.build/package

# Builds the binary of a release, which tells its commit and build time.
build_release() {
    pin_versions
    LEDGERD_BUILD_COMMIT=${LEDGERD_BUILD_COMMIT:-$(git describe --always --dirty --abbrev=12 --exclude '*')}
    LEDGERD_BUILD_TIME=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%FT%TZ)
    export LEDGERD_BUILD_COMMIT LEDGERD_BUILD_TIME
    say "building a release of $LEDGERD_BUILD_COMMIT (the first build takes some minutes)"
    release_build --product ledgerd -Xlinker --build-id=sha1 -Xlinker -z -Xlinker now >&2
    release=$(release_build --show-bin-path)/ledgerd
}

# The stand-in gateway, for the tests of package and image: neither holds it.
build_sandbox() {
    release_build --product portone-sandbox >&2
    sandbox=$(release_build --show-bin-path)/portone-sandbox
}

make_package() {
    install_missing binutils dpkg-dev python3
    build_release
    deb=$("$root/packaging/package.sh" "$release" "$packages")
    say "$deb"
}

run_package() {
    make_package
    [ "${1:-}" = --test ] || return 0
    install_missing lintian mmdebstrap man-db bash-completion zsh fish curl
    # Its warnings are of what is meant so: folders of secrets that only root enters.
    as_root lintian --allow-root --fail-on error --tag-display-limit 0 "$deb" >&2
    "$root/packaging/test/texts.sh" "$deb" >&2
    build_sandbox
    # ledgerd refuses variables that are no settings of its own.
    unset LEDGERD_BUILD_COMMIT LEDGERD_BUILD_TIME
    as_root "$root/packaging/test/package.sh" "$deb" "$sandbox" ${BEFORE:+"$BEFORE"}
    as_root "$root/packaging/test/guides.sh" "$deb" "$sandbox"
}

run_image() {
    make_package
    install_missing buildah mmdebstrap
    image=$(as_root "$root/packaging/image.sh" "$deb" "$packages")
    say "$image"
    [ "${1:-}" = --test ] || return 0
    install_missing podman crun curl netavark aardvark-dns iptables catatonit python3-venv
    scratch_cluster image -c fsync=off
    build_sandbox
    as_root "$root/packaging/test/image.sh" "$image" "$superuser_url" "$sandbox"
    programs=$("$root/Tests/python.sh" "$root/packaging/test/requirements.txt")
    as_root "$root/packaging/test/compose.sh" "$image" "$sandbox" "$programs/podman-compose"
}
