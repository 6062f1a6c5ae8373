# shellcheck shell=sh
# The test targets: which there are, building and running them.

shaken=no

# use_targets NAMES: the test targets that are built, and in the bundle that runs.
use_targets() {
    LEDGERD_TEST_TARGETS=$1
    export LEDGERD_TEST_TARGETS
}

# Builds the bundle of LEDGERD_TEST_TARGETS, and the programs that these start; nothing else.
build_tests() {
    pin_versions
    # shellcheck disable=SC2086 # words
    measured build swift build $build_options --product ledgerdPackageTests >&2
}

# The test targets of the tier. The bench is not part of the fast one.
tier_targets() {
    for directory in Tests/*Tests; do
        [ "${LEDGERD_TEST_TIER:-}/$directory" = fast/Tests/BenchTests ] || printf '%s\n' "${directory#Tests/}"
    done
}

# targets_of NAMES: the test targets that have a suite or a test of these names; all, if none is found.
targets_of() {
    found=$(
        for target in $(tier_targets); do
            # shellcheck disable=SC2016 # the marks are Swift's
            grep -rhoE 'struct [A-Za-z0-9_]+|func `[^`]+`' "Tests/$target" |
                sed "s/^struct /$target./; s/^func / /" | tr -d '`' | grep -qE -- "$1" && echo "$target"
        done
    ) || true
    printf '%s\n' "${found:-$(tier_targets)}"
}

# Options of a cluster whose data does not outlive the run, so that it need not survive a power cut, nor be copied.
# synchronous_commit is not among them: each session of ours turns it on.
throwaway='-c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0'

# Whether there is memory for a cluster of tests, which grows to about 1 GiB, beside the tests.
has_memory() {
    [ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -ge $((2 << 20)) ] 2>/dev/null &&
        [ "$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)" -ge $((6 << 20)) ]
}

start_test_cluster() {
    server_programs=${LEDGERD_TEST_POSTGRES_BIN:-}
    busy=
    # Its workers have transactions of their own, and change plans.
    [ "$shaken" = no ] || busy='-c autovacuum_naptime=1 -c autovacuum_analyze_threshold=1 -c autovacuum_vacuum_threshold=1'
    memory=
    if has_memory; then in_memory=$data/test memory='-c max_wal_size=512MB'; fi
    # shellcheck disable=SC2086 # words
    scratch_cluster test $throwaway $memory $busy
    export LEDGERD_TEST_DATABASE_URL="$superuser_url"
    postmaster=$(as_postgres head -n 1 "$cluster/postmaster.pid")
    [ "$shaken" = yes ] || return 0
    python3 Tests/Shake/shake.py $$ "$postmaster" &
    shaker=$!
}

# Runs the tests that were built, eight at a time. A test begins, and its time limit with it, when it has its turn; all at
# once would each take minutes on few cores.
swift_test='swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 8'

# The tests of all targets, one run after the other: on a small machine, tests with a clock and tests that fill the cores
# disturb each other. Those of targets without a database and without services are one run, PureTests: to start a run costs
# more CPU than most of them. Sets failed and log.
test_targets() {
    failed=
    log=$data/test.log
    : >"$log"
    pure=
    for target in $(tier_targets); do
        case $target in
            BenchTests | EndToEndTests | LedgerClientTests | LedgerTests | PostgresTests | ledgerdTests)
                test_target "$target" "^$target\\." || failed="$failed $target" ;;
            *) pure=$pure${pure:+|}$target ;;
        esac
    done
    test_target PureTests "^($pure)\\." || failed="$failed PureTests"
}

# test_target NAME EXPRESSION: the tests whose Target.Suite/name the expression matches, shown and kept in the log; measured
# as NAME.
test_target() {
    # A pipe's status is its last command's, so that of the tests goes another way.
    rm -f "$data/status"
    # shellcheck disable=SC2086 # words
    { measured "$1" $swift_test --filter "$2" 2>&1 && echo passed >"$data/status"; } | tee -a "$log"
    [ "$(cat "$data/status" 2>/dev/null)" = passed ]
}
