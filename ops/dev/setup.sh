# shellcheck shell=sh
# What the machine needs, from Debian's packages and, for highly available setups, from elsewhere.

installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

install_missing() {
    missing=
    for package in libpq-dev libcurl4-openssl-dev libssl-dev libexpat1-dev libxlsxwriter-dev zlib1g-dev postgresql curl "$@"; do
        installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    say "installing:$missing"
    # Debian would start a server of its own with the package. Ours is private, so that one is not wanted.
    override=/etc/postgresql-common/createcluster.d/ledgerd-dev.conf
    case $missing in *postgresql*)
        as_root mkdir -p "${override%/*}"
        echo 'create_main_cluster = false' | as_root tee "$override" >/dev/null ;;
    esac
    as_root apt-get update -qq >&2
    # shellcheck disable=SC2086 # the list is ours and has no spaces within names
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
    [ ! -e "$override" ] || as_root rm -f "$override"
}

# Where every command of the nodes finds its programs: those that install_cluster_programs gets, and an administrator's.
cluster_path=$root/.ledgerd/patroni/bin:$PATH:/usr/sbin:/sbin:$root/.ledgerd/etcd/usr/bin

# etcd alone: Debian's package would start a server.
install_cluster_programs() {
    install_missing python3-venv iproute2 iptables e2fsprogs procps curl
    # Not Debian 12's Patroni: after a partition, its former primary can take the leader's key back, and lose commits.
    patroni=$root/.ledgerd/patroni
    if ! cmp -s ops/ha/requirements.txt "$patroni/requirements.txt"; then
        say "getting Patroni"
        mkdir -p "$patroni"
        /usr/bin/python3 -m venv "$patroni"
        "$patroni/bin/pip" install -q --disable-pip-version-check -r ops/ha/requirements.txt >&2
        cp ops/ha/requirements.txt "$patroni/requirements.txt"
    fi
    PATH=$cluster_path command -v etcd >/dev/null || {
        say "getting etcd"
        mkdir -p "$root/.ledgerd/etcd"
        as_root apt-get update -qq >&2
        (cd "$root/.ledgerd/etcd" && apt-get download -qq etcd-server >&2 && dpkg-deb -x etcd-server_*.deb . &&
            rm etcd-server_*.deb)
    }
}
