# shellcheck shell=sh
# What all commands share.

data=$root/.ledgerd
port=8080
gateway_port=8081
admin_port=
shop_port=
detach=no

# read_options [OPTION]...: those of up, down and clean.
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --detach) detach=yes ;;
            --port) port=${2:?--port needs a number}; shift ;;
            --gateway-port) gateway_port=${2:?--gateway-port needs a number}; shift ;;
            --admin-port) admin_port=${2:?--admin-port needs a number}; shift ;;
            --shop-port) shop_port=${2:?--shop-port needs a number}; shift ;;
            --data) data=${2:?--data needs a directory}; shift ;;
            *) usage >&2; die "unknown option $1" ;;
        esac
        shift
    done
    case $data in /*) ;; *) data=$PWD/$data ;; esac
}

say() { printf '%s\n' "$*" >&2; }
die() { say "./dev: $*"; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

random_secret() { od -An -N 32 -tx1 /dev/urandom | tr -d ' \n'; }

# The versions of all packages are those of Package.versions, also of those that no manifest here names.
pin_versions() {
    [ -z "$(find Package.resolved -newer Package.versions 2>/dev/null)" ] || return 0
    awk '
        BEGIN { printf "{\"version\": 2, \"pins\": [" }
        { printf "%s\n{\"identity\": \"%s\", \"kind\": \"remoteSourceControl\", \"location\": \"%s\", ", comma, $1, $4
          printf "\"state\": {\"revision\": \"%s\", \"version\": \"%s\"}}", $3, $2; comma = "," }
        END { print "\n]}" }' Package.versions >Package.resolved
}

# Options of all builds for development in .build: a build with others compiles everything anew. What a debugger reads takes
# a part of a build; LEDGERD_DEBUGGER=1 keeps it. The index stays: SwiftPM looks for tests in it.
build_options='-debug-info-format none'
[ -z "${LEDGERD_DEBUGGER:-}" ] || build_options=

# shellcheck disable=SC2086 # words
development_build() { swift build $build_options "$@"; }

# What is measured is built as what is released is: with Swift's runtime in the binary.
release_build() { swift build -c release --static-swift-stdlib "$@"; }
