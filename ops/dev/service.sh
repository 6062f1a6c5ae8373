# shellcheck shell=sh
# A service for checks from outside, from ./dev up, and the checks that need only it; ./dev screenshots.

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

end_service() {
    [ -d "$service" ] || return 0
    "$root/dev" down --data "$service" >&2
    locate_cluster "$service"
    as_root rm -rf "$service" "$cluster"
}

# Looks at the pages of a service in Chromium, and holds it against its own OpenAPI document. In this order: after the last
# the user has presented too many wrong receipts.
check_service() {
    sound=0
    Tests/Pages/run.sh || sound=1
    Tests/Conformance/service/run.sh || sound=1
    return "$sound"
}

make_screenshots() {
    install_missing python3-venv chromium chromium-driver fonts-noto-cjk fonts-noto-core
    mkdir -p "$data"
    with_service Tests/Pages/run.sh --pictures "$root/docs/images"
}
