#!/bin/sh
# Makes the Debian package of a release binary. ./dev package calls it.
#
# usage: package.sh BINARY OUTPUT
#   BINARY    ledgerd, built with --static-swift-stdlib
#   OUTPUT    the directory that gets ledgerd_VERSION_ARCHITECTURE.deb, and ledgerd.debug, the binary's symbols
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$here")
binary=$(realpath -- "$1")
mkdir -p "$2"
output=$(realpath -- "$2")
version=$("$binary" --version | cut -d ' ' -f 1)

# The same binary makes the same package, byte for byte: times are the binary's build time.
built=$("$binary" --version | sed -n 's/.*, built \(.*\))$/\1/p')
SOURCE_DATE_EPOCH=$(date -u -d "${built:-2026-01-01}" +%s)
export SOURCE_DATE_EPOCH
maintainer=$(sed -n 's/^Maintainer: //p' "$here/debian/control")
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022

# install_text PATH: standard input becomes a file of the package.
install_text() {
    mkdir -p "$root/$(dirname "$1")"
    cat >"$root/$1"
}

compressed() { gzip -9 -n; }

install -D -m 755 "$binary" "$root/usr/bin/ledgerd"
objcopy --only-keep-debug "$binary" "$output/ledgerd.debug"
strip --strip-all --remove-section=.comment --remove-section=.note "$root/usr/bin/ledgerd"
(cd "$output" && objcopy --add-gnu-debuglink=ledgerd.debug "$root/usr/bin/ledgerd")

for unit in ledgerd.service ledgerd-migrate.service; do
    install -D -m 644 "$here/systemd/$unit" "$root/lib/systemd/system/$unit"
done
"$binary" settings | install_text etc/ledgerd/ledgerd.env
chmod 640 "$root/etc/ledgerd/ledgerd.env"
install -d -m 700 "$root/etc/ledgerd/credentials" "$root/etc/ledgerd/migrate"

"$binary" --experimental-dump-help |
    python3 "$here/manual.py" "$version" "$(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%B %-d, %Y')" |
    compressed | install_text usr/share/man/man8/ledgerd.8.gz
# It is sourced, not run.
"$binary" --generate-completion-script bash | sed '1{/^#!/d}' | install_text usr/share/bash-completion/completions/ledgerd
"$binary" --generate-completion-script zsh | install_text usr/share/zsh/vendor-completions/_ledgerd
"$binary" --generate-completion-script fish | install_text usr/share/fish/vendor_completions.d/ledgerd.fish

doc=usr/share/doc/ledgerd
install -D -m 644 "$here/debian/copyright" "$root/$doc/copyright"
install -m 644 "$here/debian/README.Debian" "$root/$doc/README.Debian"
for page in "$source"/docs/*.md "$source"/docs/runbooks/*.md; do
    compressed <"$page" | install_text "$doc/${page#"$source"/docs/}.gz"
done
(cd "$source/ops" && find . -path ./dev -prune -o -type f -exec install -D -m 644 {} "$root/$doc/examples/{}" \;)
compressed <"$source/CHANGELOG.md" | install_text "$doc/NEWS.md.gz"
compressed <<CHANGELOG | install_text "$doc/changelog.gz"
ledgerd ($version) stable; urgency=medium

  * See NEWS.md.gz for the changes.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
# The licences of what is linked into the binary ask to go with it.
for package in "$source"/.build/checkouts/*; do
    for text in "$package"/LICENSE* "$package"/NOTICE*; do
        [ -f "$text" ] || continue
        printf '%s\n\n' "== ${package##*/}: ${text##*/}"
        cat "$text"
    done
done | compressed | install_text "$doc/third-party-notices.txt.gz"

# The binary's own needs, as Debian names them.
mkdir -p "$work/depends/debian"
printf 'Source: ledgerd\n\nPackage: ledgerd\nArchitecture: any\n' >"$work/depends/debian/control"
depends=$(cd "$work/depends" && dpkg-shlibdeps -O "$root/usr/bin/ledgerd" 2>"$work/shlibdeps.log") ||
    { cat "$work/shlibdeps.log" >&2; exit 1; }

install -d "$root/DEBIAN"
sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@DEPENDS@|${depends#shlibs:Depends=}|" \
    -e "s|@SIZE@|$(du -k -s "$root" | cut -f 1)|" "$here/debian/control" >"$root/DEBIAN/control"
echo /etc/ledgerd/ledgerd.env >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do
    install -m 755 "$here/debian/$script" "$root/DEBIAN/$script"
done
(cd "$root" && find . -path ./DEBIAN -prune -o -type f ! -path './etc/*' -printf '%P\0' | sort -z |
    xargs -0 md5sum) >"$root/DEBIAN/md5sums"

package=$output/ledgerd_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
