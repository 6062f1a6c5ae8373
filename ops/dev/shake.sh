# shellcheck shell=sh
# ./dev shake: the tests while processes are stopped for moments.

# shake_tests [NAME...]: one target after the other, unless there are names.
shake_tests() {
    case ${1:-} in -*) usage >&2; die "shake takes names, not the option $1" ;; esac
    install_missing openssl python3-venv hledger beancount pgbackrest
    shaken=yes
    # What a test speaks to is stopped while the test is not.
    export LEDGERD_TEST_PROCESSES=1
    if [ $# -gt 0 ]; then
        run_named_tests "$@"
    else
        export LEDGERD_TEST_TIER=fast
        use_targets "$(tier_targets)"
        build_tests
        start_test_cluster
        test_targets
        [ -z "$failed" ] || die "failed:$failed"
    fi
    kill -0 "$shaker" 2>/dev/null || die "the processes were not shaken to the end"
}
