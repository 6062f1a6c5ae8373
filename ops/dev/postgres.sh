# shellcheck shell=sh
# PostgreSQL: a private cluster, never as root.

# The data directory whose cluster is in memory.
in_memory=

# Sets cluster and socket for the data directory $1. The server's user must be able to enter the directory, and a
# socket's path may not be longer than 107 bytes; where the data directory does not allow it, others do.
locate_cluster() {
    name=$(printf '%s' "$1" | cksum | cut -d ' ' -f 1)
    mkdir -p "$1"
    cluster=$1/postgres
    if [ "$1" = "$in_memory" ]; then
        cluster=/dev/shm/ledgerd-$name
    elif ! as_postgres test -x "$1"; then
        cluster=/var/lib/postgresql/ledgerd-$name
    fi
    socket=$cluster
    if [ "${#socket}" -gt 80 ]; then
        socket=/tmp/ledgerd-$name
    fi
}

as_postgres() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/tmp "$@")
    else
        "$@"
    fi
}

make_for_postgres() {
    mkdir -p "$1"
    if [ "$(id -u)" = 0 ]; then chown postgres: "$1"; fi
    chmod 700 "$1"
}

# The folder of the server's programs: Debian's, or for tests the one that LEDGERD_TEST_POSTGRES_BIN names.
postgres_bin() { echo "${server_programs:-$(pg_config --bindir)}"; }

# start_cluster DIR PORT [postgres options]: creates the cluster on first use and starts it unless it runs.
start_cluster() {
    locate_cluster "$1"
    cluster_port=$2
    shift 2
    if ! as_postgres test -f "$cluster/PG_VERSION"; then
        say "creating a PostgreSQL cluster in $cluster"
        make_for_postgres "$cluster"
        as_postgres "$(postgres_bin)/initdb" -D "$cluster" -U postgres --auth-local=peer --auth-host=scram-sha-256 \
            --encoding=UTF8 --locale=C.UTF-8 >/dev/null
        # Only the user that runs the server, and root for it, may enter the socket's directory: trust those who do.
        printf '%s\n' 'local all all trust' 'host all all 127.0.0.1/32 scram-sha-256' |
            as_postgres tee "$cluster/pg_hba.conf" >/dev/null
    fi
    [ "$socket" = "$cluster" ] || make_for_postgres "$socket"
    if as_postgres "$(postgres_bin)/pg_ctl" -D "$cluster" status >/dev/null 2>&1; then return 0; fi
    # shellcheck disable=SC2046  # words
    as_postgres $(moved_clock) "$(postgres_bin)/pg_ctl" -D "$cluster" -w -t 60 -l "$cluster/server.log" \
        -o "-p $cluster_port -k '$socket' -c listen_addresses=127.0.0.1 $*" start >/dev/null ||
        die "PostgreSQL did not start; last lines of $cluster/server.log: $(as_postgres tail -n 5 "$cluster/server.log")"
}

stop_cluster() {
    locate_cluster "$1"
    as_postgres test -f "$cluster/postmaster.pid" || return 0
    as_postgres "$(postgres_bin)/pg_ctl" -D "$cluster" -w -t 60 -m fast stop >/dev/null 2>&1 || true
}

# Runs psql at $socket and $cluster_port, which is a socket's directory, or the hosts of a highly available cluster.
superuser_sql() {
    as_postgres psql -X -q -v ON_ERROR_STOP=1 -h "$socket" -p "$cluster_port" -U postgres "$@"
}

# scratch_cluster NAME [postgres options]: a cluster that lives no longer than this script; sets superuser_url.
scratch_cluster() {
    scratch=$data/$1
    shift
    ! is_in_use "$scratch" || die "another ./dev uses the cluster in $scratch: process $owner"
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    trap 'trap "" INT TERM HUP; remove_scratch_cluster' EXIT
    remove_left_clusters
    mkdir -p "$scratch"
    echo $$ >"$scratch/owner"
    start_cluster "$scratch" "$(free_port 54320)" -c max_connections=300 "$@"
    superuser_url="postgresql:///postgres?host=$socket&port=$cluster_port&user=postgres"
}

# Whether another ./dev made the cluster there, and still runs; sets owner.
is_in_use() {
    owner=$(cat "$1/owner" 2>/dev/null) || return 1
    [ "$owner" != $$ ] || return 1
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$owner/cmdline") in *dev\ *) ;; *) return 1 ;; esac
}

remove_scratch_cluster() {
    stop_cluster "$scratch"
    rm -rf "$scratch" "$cluster" 2>/dev/null || as_root rm -rf "$scratch" "$cluster"
}

# Removes what a killed run has left, in memory or not.
remove_left_clusters() {
    wanted=$in_memory
    for in_memory in "$scratch" ''; do remove_scratch_cluster; done
    in_memory=$wanted
}
