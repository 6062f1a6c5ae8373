# shellcheck shell=sh
# ./dev books: the ledger beside a model's books.

# compare_books OPTION...: those of Tests/Books/run.py. Its service has settings that post all kinds of entries, unless the
# environment has others: refunds have fees, disputes freeze coins, coins expire while it runs and can be refunded then, and
# VAT is booked, also of breakage and fees. Nothing but webhooks leads to a look at a payment.
compare_books() (
    # Not in the data directory, which PostgreSQL's user may be unable to enter.
    clock=$(mktemp -d) || exit 1
    trap 'rm -rf "$clock"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    umask 022
    chmod 755 "$clock"
    make_clock_library "$clock" || exit 1
    export MOVED_CLOCK="$clock/seconds"
    LEDGERD_TEST_STORES_PORT=$(free_port 18660)
    export LEDGERD_TEST_STORES_PORT
    echo 0 >"$MOVED_CLOCK"
    # A campaign above it waits for a person at the console.
    export LEDGERD_CONSOLE_GRANT_LIMIT="${LEDGERD_CONSOLE_GRANT_LIMIT-100000}"
    export LEDGERD_GIFT_COINS="${LEDGERD_GIFT_COINS-all}"
    # The model has no exceptions of gifts.
    export LEDGERD_GIFT_EXCEPT_GATEWAYS="${LEDGERD_GIFT_EXCEPT_GATEWAYS-none}"
    export LEDGERD_GIFT_FEE_PERCENT="${LEDGERD_GIFT_FEE_PERCENT-7}"
    export LEDGERD_REFUND_FEE_PERCENT="${LEDGERD_REFUND_FEE_PERCENT-10}"
    export LEDGERD_REFUND_FEE_MINIMUM="${LEDGERD_REFUND_FEE_MINIMUM-150}"
    export LEDGERD_REFUND_FREE_DAYS="${LEDGERD_REFUND_FREE_DAYS-7}"
    export LEDGERD_REFUND_EXPIRED_DAYS="${LEDGERD_REFUND_EXPIRED_DAYS-1461}"
    export LEDGERD_REFUND_EXPIRED_PERCENT="${LEDGERD_REFUND_EXPIRED_PERCENT-90}"
    export LEDGERD_VAT="${LEDGERD_VAT-true}"
    export LEDGERD_VAT_BREAKAGE="${LEDGERD_VAT_BREAKAGE-$LEDGERD_VAT}"
    export LEDGERD_VAT_REFUND_FEES="${LEDGERD_VAT_REFUND_FEES-$LEDGERD_VAT}"
    export LEDGERD_FREEZE_DISPUTED="${LEDGERD_FREEZE_DISPUTED-true}"
    export LEDGERD_PAID_COIN_LIFETIME="${LEDGERD_PAID_COIN_LIFETIME-24s}"
    export LEDGERD_BONUS_COIN_LIFETIME="${LEDGERD_BONUS_COIN_LIFETIME-16s}"
    export LEDGERD_PREPAID_SAFEGUARD_PERCENT="${LEDGERD_PREPAID_SAFEGUARD_PERCENT-103}"
    export LEDGERD_PREPAID_BONUS_WORTH="${LEDGERD_PREPAID_BONUS_WORTH-7}"
    export LEDGERD_SWEEP_INTERVAL=off LEDGERD_RECONCILE_AT=off PYTHONDONTWRITEBYTECODE=1
    # shellcheck disable=SC2046  # words
    with_service $(moved_clock) timeout 3000 python3 Tests/Books/run.py "$@"
)

run_books() {
    install_missing hledger beancount
    mkdir -p "$data"
    # The service ends also if the books differ.
    compare_books "$@" || exit 1
}
