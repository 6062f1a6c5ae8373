# shellcheck shell=sh
# ./dev up, down and clean: PostgreSQL, the sandbox gateway, ledgerd and a demo shop.

build() {
    pin_versions
    say "building (the first build takes some minutes)"
    development_build --product ledgerd >&2
    development_build --product portone-sandbox >&2
    development_build --product demo-shop >&2
    built=$(swift build --show-bin-path)
    ledgerd=$built/ledgerd
    sandbox=$built/portone-sandbox
    shop=$built/demo-shop
}

# launch_service NAME: ledgerd gets its own settings and nothing of the owner's: not a role that can rewrite the books,
# nor other callers' tokens.
launch_service() (
    unset DATABASE_URL USER_TOKEN SERVICE_TOKEN FINANCE_TOKEN APPROVER_TOKEN EVENTS_TOKEN SUPPORT_TOKEN ENDPOINTS_TOKEN JWT_SECRET APP_KEY
    [ -z "${LEDGERD_TEST_STORES_PORT:-}" ] || use_stores
    launch "$1" "$ledgerd" serve
)

# The settings of the simulated stores, whose keys and certificates are new at each start.
use_stores() {
    tries=0
    until listening "$LEDGERD_TEST_STORES_PORT"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || die "the simulated stores did not start: $data/sandbox.log"
        sleep 0.1
    done
    (umask 077 && python3 "$root/ops/dev/stores.py" "http://127.0.0.1:$LEDGERD_TEST_STORES_PORT" \
        "$data/app-store-root.pem" >"$data/stores.env") || die "the simulated stores do not say their settings"
    set -a
    # shellcheck source=/dev/null
    . "$data/stores.env"
    set +a
}

# Its payments are those of the books, so they last as long. With LEDGERD_TEST_STORES_PORT it simulates the stores, too, whose
# purchases are gone when it ends.
launch_sandbox() {
    launch sandbox "$sandbox" --listen "127.0.0.1:$gateway_port" --data "$data/sandbox.json" \
        --v1-webhook-url "$LEDGERD_URL/webhooks/portone/v1" --v2-webhook-url "$LEDGERD_URL/webhooks/portone/v2" \
        ${LEDGERD_TEST_STORES_PORT:+--stores-listen "127.0.0.1:$LEDGERD_TEST_STORES_PORT" \
            --apple-notification-url "$LEDGERD_URL/webhooks/app-store" \
            --google-push-url "$LEDGERD_URL/webhooks/google-play"}
}

# The shop gets what a shop's server has: the key of its users' tokens, and its own token.
launch_shop() (
    launch shop env -i PATH="$PATH" LEDGERD_URL="$LEDGERD_URL" SANDBOX_URL="$SANDBOX_URL" \
        SERVICE_TOKEN="$SERVICE_TOKEN" JWT_SECRET="$JWT_SECRET" "$shop" --port "$shop_port"
)

stop_all() {
    halt shop
    halt ledgerd
    halt sandbox
    stop_cluster "$data"
}

# up STOP: what stops it, to be printed.
up() {
    check_ports
    install_missing
    build
    # From here on a failure leaves nothing behind, unless it was there before.
    [ "$runs_already" = yes ] || ours=yes
    mkdir -p "$data"
    load_secrets
    # shellcheck disable=SC2086 # words
    start_cluster "$data" $((port + 10000)) ${LEDGERD_TEST_POSTGRES_OPTIONS:-}
    database=127.0.0.1:$cluster_port/ledgerd
    create_database
    migrate_database
    # What runs is what was built.
    halt_older sandbox "$sandbox"
    halt_older ledgerd "$ledgerd"
    halt_older shop "$shop"
    alive sandbox || launch_sandbox
    alive ledgerd || launch_service ledgerd
    alive shop || launch_shop
    if ! "$ledgerd" dev --environment "$data/dev.env" --stop "$1"; then
        say "--- last lines of $data/sandbox.log"; tail -n 5 "$data/sandbox.log" >&2
        say "--- last lines of $data/ledgerd.log"; tail -n 5 "$data/ledgerd.log" >&2
        die "ledgerd or the sandbox gateway did not start"
    fi
}

up_detached() {
    catch_signals
    up "./dev down$(data_option "$root/.ledgerd")"
    ours=no
}

stay() {
    catch_signals
    up "Ctrl-C"
    ours=yes
    say "the log is $data/ledgerd.log"
    while alive ledgerd && alive sandbox && alive shop; do sleep 1; done
    tail -n 5 "$data/ledgerd.log" "$data/sandbox.log" "$data/shop.log" >&2
    die "a process ended unexpectedly"
}

down() {
    [ -d "$data" ] || die "no data in $data"
    stop_all
    say "stopped; the data is still in $data"
}

clean() {
    if [ -d "$data" ]; then
        scratch=$data/test
        remove_left_clusters
        stop_all
        # By name, for a DIR that holds anything else keeps it.
        as_root rm -rf "$cluster" "$data/test" "$data/bench" "$data/image" "$data/service" "$data/soak-failed" \
            "$data/python" "$data/patroni" "$data/etcd" "$data/prometheus" "$data/checks" "$data/budget" \
            "$data/budget-named"
        rm -f "$data/dev.env" "$data/secrets.env" "$data/ledgerd.log" "$data/sandbox.log" "$data/sandbox.json" \
            "$data/stores.env" "$data/app-store-root.pem" "$data/shop.log" "$data/test.log" "$data/status" "$data/service.log" "$data/conformance.log" "$data/soak.json"
        rmdir "$data" 2>/dev/null || say "kept $data: it contains files that ./dev did not create"
    fi
    rm -rf .build
}
