# shellcheck shell=sh
# A service for checks from outside, from ./dev up, and the checks that need only it; ./dev pages and
# ./dev screenshots.

# with_service COMMAND...: runs it with the environment of a service of its own, from ./dev up, which ends afterwards.
with_service() {
    service=$data/service
    # What a killed run has left.
    end_service
    serving=$(free_port 18700)
    LEDGERD_TEST_POSTGRES_OPTIONS=$throwaway "$root/dev" up --detach --data "$service" --port "$serving" --gateway-port "$(free_port $((serving + 1)))" \
        >"$data/service.log" || { cat "$data/service.log" >&2; return 1; }
    status=0
    # The shell ends the service also if the command fails: `set -e` would end the shell first.
    (
        set -a
        # shellcheck source=/dev/null
        . "$service/dev.env"
        "$@"
    ) || status=$?
    [ "$status" = 0 ] || tail -n 20 "$service/ledgerd.log" >&2
    end_service
    return "$status"
}

# look_at_answers: runs clients against a new service with the simulated stores, and holds its answers against its OpenAPI
# document.
look_at_answers() {
    LEDGERD_TEST_STORES_PORT=$(free_port 18660) LEDGERD_GIFT_COINS=all with_service look_from_outside
}

# Runs all checks, even if one fails. The clients come first, because the last check leaves a service that refuses
# receipts.
look_from_outside() {
    outcome=0
    for check in clients mcp service; do
        "Tests/Conformance/$check/run.sh" || { echo "Tests/Conformance/$check failed" >&2; outcome=1; }
    done
    return "$outcome"
}

end_service() {
    [ -d "$service" ] || return 0
    "$root/dev" down --data "$service" >&2
    locate_cluster "$service"
    as_root rm -rf "$service" "$cluster"
}

# look_at_pages [--screenshots DIR]: looks at the pages of a new service in Chromium.
look_at_pages() {
    case ${1:-} in
        '') [ $# -eq 0 ] || die "pages takes no empty option" ;;
        --screenshots) [ $# -eq 2 ] || die "--screenshots needs a directory"; mkdir -p "$2" ;;
        *) usage >&2; die "pages takes --screenshots DIR, not $1" ;;
    esac
    with_new_pages "$@"
}

make_screenshots() { with_new_pages --pictures "$root/docs/images"; }

# with_new_pages OPTION...: runs Tests/Pages with these options and a service of its own.
with_new_pages() {
    install_missing python3-venv chromium chromium-driver fonts-noto-cjk fonts-noto-core
    mkdir -p "$data"
    with_service Tests/Pages/run.sh "$@"
}
