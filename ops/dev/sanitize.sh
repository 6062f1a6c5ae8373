# shellcheck shell=sh
# ./dev sanitize: the tests under ThreadSanitizer and AddressSanitizer.

# run_sanitizers [thread|address]...
run_sanitizers() {
    [ $# -gt 0 ] || set -- thread address
    for kind; do
        case $kind in thread | address) ;; *) usage >&2; die "there is no sanitizer $kind" ;; esac
    done
    install_missing openssl hledger beancount
    pin_versions
    start_test_cluster
    # It names the functions in the reports, and comes with the toolchain.
    toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
    results=
    failed=no
    for kind; do sanitize "$kind"; done
    say "sanitizers: ${results#, }"
    [ "$failed" = no ] || die "findings or failed tests: see above"
}

# sanitize KIND: builds, runs the tests, shows the findings; adds to results and failed.
sanitize() {
    case $1 in thread) scratch_path=.build/tsan ;; *) scratch_path=.build/asan ;; esac
    say "building for the $1 sanitizer (the first build takes about 10 minutes)"
    if ! swift build --build-tests --sanitize "$1" --scratch-path "$scratch_path" >&2; then
        results="$results, $1: not built"
        failed=yes
        return
    fi
    report=$root/$scratch_path/report
    rm -f "$report".*
    for tests in Batching Postgres PGVerifier Ledger; do
        outcome=passed
        sanitized_test || { outcome=FAILED; failed=yes; }
        results="$results, $1 $tests $outcome"
    done
    findings=$(cat "$report".* 2>/dev/null | grep -c '^SUMMARY') || true
    [ "$findings" = 0 ] || { cat "$report".* >&2; failed=yes; }
    results="$results, $1 findings: $findings"
}

# Few tests at a time, for all is slower, and some tests have deadlines. Leaves out the two tests that repeat one thing
# tens of thousands of times: they take long and reach no other code.
sanitized_test() {
    PATH=$toolchain/bin:$PATH TMPDIR=$scratch TSAN_OPTIONS="log_path=$report" ASAN_OPTIONS="log_path=$report" \
        LSAN_OPTIONS="suppressions=$root/Tests/leak.suppressions print_suppressions=0" \
        swift test --skip-build --disable-xctest --sanitize "$kind" --scratch-path "$scratch_path" \
        --experimental-maximum-parallelization-width 4 \
        --filter "^${tests}Tests\\." --skip 'BusyMonthTests|forty thousand'
}
