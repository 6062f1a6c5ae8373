# shellcheck shell=sh
# ./dev bench.

# What it measures, it starts and ends itself; the cluster, and whatever else is left when it is stopped, ends with this
# script. LEDGERD_BENCH_POSTGRES: options of PostgreSQL, such as "-c shared_buffers=1GB".
run_bench() {
    install_missing
    pin_versions
    [ -x "$(command -v pgbench)" ] || die "pgbench is missing: install Debian's package postgresql"
    release_build --product ledgerd-bench >&2
    release_build --product ledgerd >&2
    release_build --product portone-sandbox >&2
    release=$(release_build --show-bin-path)
    confine "$@"
    # shellcheck disable=SC2086 # options are words
    scratch_cluster bench ${LEDGERD_BENCH_POSTGRES:-}
    # In the background, so that a signal is not kept waiting until the measurement ends.
    LEDGERD_TEST_DATABASE_URL=$superuser_url TMPDIR=$scratch "$release/ledgerd-bench" "$@" &
    measuring=$!
    trap 'trap "" INT TERM HUP; kill -TERM "$measuring" 2>/dev/null || true; wait "$measuring" || true
        remove_scratch_cluster' EXIT
    wait "$measuring"
}

# With --cores N, this script and what it starts, so PostgreSQL and ledgerd, keep to the first N cores. The load gets the
# others, or all if none is left.
confine() {
    cores=
    while [ $# -gt 0 ]; do
        case $1 in
            --cores=*) cores=${1#*=} ;;
            --cores) cores=${2:-} ;;
        esac
        shift
    done
    [ -n "$cores" ] || return 0
    present=$(nproc)
    { [ "$cores" -ge 1 ] && [ "$cores" -le "$present" ]; } 2>/dev/null || die "--cores must be 1 to $present"
    taskset -cp "0-$((cores - 1))" $$ >/dev/null
    if [ "$cores" = "$present" ]; then first=0; else first=$cores; fi
    export LEDGERD_BENCH_LOAD_CORES="$first-$((present - 1))"
}
