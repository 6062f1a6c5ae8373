#!/bin/sh
# Reads the package's man page, completions and settings as their programs do.
#
# usage: texts.sh PACKAGE
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb --extract "$1" "$work"
cd "$work"

die() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

page=usr/share/man/man8/ledgerd.8.gz
warnings=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings --local-file "$page" 2>&1 >page.txt)
[ -z "$warnings" ] || die "the man page: $warnings"
# Every command that the binary has is in the man page, with its options.
usr/bin/ledgerd --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z]*\) .*/\1/p' >commands
[ "$(wc -l <commands)" -ge 10 ] || die "the commands can't be read from --help"
while read -r command; do
    grep -q "ledgerd $command" page.txt || die "the man page has no command $command"
done <commands
usr/bin/ledgerd serve --help | grep -o -- '^  --[a-z0-9-]*' | sort -u >options
while read -r option; do
    [ "$option" = --version ] || [ "$option" = --help ] || grep -q -- "$option" page.txt || die "the man page has no $option"
done <options

bash -n usr/share/bash-completion/completions/ledgerd
zsh -n usr/share/zsh/vendor-completions/_ledgerd
fish --no-execute usr/share/fish/vendor_completions.d/ledgerd.fish
completed=$(bash -c '. /usr/share/bash-completion/bash_completion
    . usr/share/bash-completion/completions/ledgerd
    COMP_WORDS=(ledgerd se) COMP_CWORD=1 COMP_LINE="ledgerd se" COMP_POINT=10
    _ledgerd ledgerd se ledgerd
    printf "%s\n" "${COMPREPLY[@]}"' | sort | tr '\n' ' ')
[ "$completed" = 'seal serve settings settlement ' ] || die "bash completes 'se' as: $completed"

usr/bin/ledgerd settings | cmp - etc/ledgerd/ledgerd.env || die "the environment file is not the binary's"
grep -q '^#LEDGERD_LISTEN=127.0.0.1:8080$' etc/ledgerd/ledgerd.env || die "the environment file has no LEDGERD_LISTEN"
echo "ok: man page, completions and settings are the binary's"
