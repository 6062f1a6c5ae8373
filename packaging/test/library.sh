#!/bin/sh
# Functions of the tests in a machine: a fresh Debian in $root that boots with systemd, and what is expected of it.
# Sourced, with `here` set to this directory. Sets work, a directory that is removed at the end.

work=$(mktemp -d)
root=$work/root
machine=
init=

say() { printf '%s\n' "$*" >&2; }

die() {
    say "FAILED: $*"
    [ -z "$init" ] || inside journalctl --no-pager --lines 30 --unit ledgerd --unit ledgerd-migrate >&2 || true
    exit 1
}

finish() {
    status=$?
    trap '' INT TERM HUP
    [ -z "$machine" ] || { kill -KILL "$machine" 2>/dev/null && wait "$machine" 2>/dev/null; } || true
    find /sys/fs/cgroup -depth -path "*/ledgerd-test-$machine*" -type d -exec rmdir {} \; 2>/dev/null || true
    rm -rf "$work"
    exit "$status"
}
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap finish EXIT

# expect TEXT ACTUAL WHAT: fails unless ACTUAL contains TEXT.
expect() {
    case $2 in *"$1"*) say "ok: $3" ;; *) die "$3: expected '$1', got '$2'" ;; esac
}

expect_none() {
    [ -z "$1" ] || die "$2: $1"
    say "ok: $2"
}

# wait_until WHAT COMMAND…: for two minutes at most.
wait_until() {
    what=$1
    shift
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 240 ] || die "not in time: $what"
        sleep 0.5
    done
    say "ok: $what"
}

# make_root PACKAGES: a Debian of this machine's release with these packages, and its lists of packages.
make_root() {
    say "making a root folder"
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=minbase --skip=cleanup/apt/lists \
        --include="systemd,systemd-sysv,dbus,libnss-systemd,postgresql${1:+,$1}" "$codename" "$root"
    # In such a machine, systemd does not see to which service the process of a file of that kind belongs.
    install -D -m 644 /dev/stdin "$root/etc/systemd/system/postgresql@.service.d/machine.conf" <<'END'
[Service]
PIDFile=
END
}

is_postgres_up() { as_admin -At -o /dev/null -c "SELECT 1" 2>/dev/null; }

inside() { nsenter --target "$init" --mount --pid --uts --ipc --net -- "$@"; }
network() { nsenter --target "$init" --net -- "$@"; }

boot() {
    # shellcheck disable=SC2154 # set by the script that sources this one
    "$here/machine.sh" "$root" >"$work/machine.log" 2>&1 &
    machine=$!
    wait_until "the machine runs" is_up
}

is_up() {
    init=$(pgrep -P "$machine" || true)
    [ -n "$init" ] || return 1
    case $(inside systemctl is-system-running 2>/dev/null) in running | degraded) ;; *) return 1 ;; esac
}

as_admin() { inside runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 "$@"; }

# secret FILE: standard input becomes a file of /etc/ledgerd that only root can read.
secret() { (umask 077 && cat >"$root/etc/ledgerd/$1"); }

serves() { network curl -sf -o "$work/ready" http://127.0.0.1:8080/health/ready; }
sandbox_serves() { network curl -sf -o /dev/null "http://127.0.0.1:8081/sandbox/journal?limit=1"; }
main_pid() { inside systemctl show --value --property MainPID ledgerd; }
