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

# The stand-in gateway and the demo shop, for the tests of package and image: neither holds them.
build_trial() {
    for program in portone-sandbox demo-shop; do release_build --product "$program" >&2; done
    sandbox=$(release_build --show-bin-path)/portone-sandbox
    shop=$(release_build --show-bin-path)/demo-shop
}

make_package() {
    install_missing binutils dpkg-dev python3
    build_release
    deb=$("$root/packaging/package.sh" "$release" "$packages")
    swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
    python3 "$root/packaging/sbom.py" ledgerd "$(dpkg-deb --field "$deb" Version)" "$(dpkg-deb --field "$deb" Architecture)" \
        --swift "$swift_version" --depends "$(dpkg-deb --field "$deb" Depends)" >"$deb.cdx.json"
    say "$deb"
}

run_package() {
    make_package
    [ "${1:-}" = --test ] || return 0
    install_missing lintian mmdebstrap man-db bash-completion zsh fish curl
    # Its warnings are of what is meant so: folders of secrets that only root enters.
    as_root lintian --allow-root --fail-on error --tag-display-limit 0 "$deb" >&2
    "$root/packaging/test/texts.sh" "$deb" >&2
    build_trial
    # ledgerd refuses variables that are no settings of its own.
    unset LEDGERD_BUILD_COMMIT LEDGERD_BUILD_TIME
    as_root "$root/packaging/test/package.sh" "$deb" "$sandbox" ${BEFORE:+"$BEFORE"}
    as_root "$root/packaging/test/guides.sh" "$deb" "$sandbox"
}

run_image() {
    make_package
    install_missing mmdebstrap
    image=$(as_root "$root/packaging/image.sh" "$deb" "$packages" "$swift_version")
    say "$image"
    [ "${1:-}" = --test ] || return 0
    install_missing podman buildah crun curl netavark aardvark-dns iptables catatonit python3-venv
    compare_images
    programs=$("$root/Tests/python.sh" "$root/packaging/test/requirements.txt")
    "$programs/python" "$root/packaging/test/sbom.py" "$deb.cdx.json" "${image%.tar}.cdx.json" >&2
    scratch_cluster image -c fsync=off
    build_trial
    as_root "$root/packaging/test/image.sh" "$image" "$superuser_url" "$sandbox"
    as_root "$root/packaging/test/compose.sh" "$image" "$sandbox" "$shop" "$programs/podman-compose"
    as_root "$root/packaging/test/containerfile.sh" "$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")"
}

# The same package makes the same image, and the same list of what it contains.
compare_images() {
    again=$(as_root "$root/packaging/image.sh" "$deb" "$packages/again" "$swift_version")
    for file in "$image" "${image%.tar}.cdx.json"; do
        cmp "$file" "$packages/again/$(basename "$file")" || die "a second image of the same package is another one"
    done
    say "ok: two images of the same package have one digest, sha256:$(sha256sum "$again" | cut -d ' ' -f 1)"
    as_root rm -r "$packages/again"
}
