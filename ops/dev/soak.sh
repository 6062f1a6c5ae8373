# shellcheck shell=sh
# ./dev soak: faults in a setup of its own.

# soak DATA BINARIES [OPTION]...: a setup of its own below DATA, which ends with this script.
soak() {
    data=$1
    built=$2
    shift 2
    ledgerd=$built/ledgerd
    port=$(free_port 18300)
    gateway_port=$(free_port $((port + 2)))
    mkdir -p "$data"
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    trap 'status=$?; trap "" INT TERM HUP; end_soak' EXIT
    make_clock_library "$data" || return 1
    start_highly_available_database
    printf '#!/bin/sh\nexec %s env PATH="%s" "%s" "%s" "$@"\n' "$(command -v sudo || true)" "$cluster_path" \
        "$root/ops/ha/cluster.sh" "$data/ha" >"$data/cluster"
    chmod +x "$data/cluster"
    for coins in 100 500; do
        LEDGERD_DATABASE_URL=$DATABASE_URL "$ledgerd" products add "coins_$coins" --title "$coins coins" \
            --price $((coins * 10)) --coins "$coins" --bonus $((coins / 10)) >&2
    done
    soaking=
    env -u DATABASE_URL -u LEDGERD_DATABASE_URL "$built/ledgerd-soak" --environment "$data/dev.env" \
        --cluster "$data/cluster" "$@" &
    soaking=$!
    wait "$soaking"
}

end_soak() {
    [ -z "${soaking:-}" ] || kill -TERM "$soaking" 2>/dev/null || true
    [ -z "${soaking:-}" ] || wait "$soaking" 2>/dev/null || true
    if [ "$status" != 0 ]; then
        kept=$root/.ledgerd/soak-failed
        as_root rm -rf "$kept"
        mkdir -p "$kept"
        for node in node1 node2 node3; do as_root cp "$data/ha/$node/log" "$kept/$node.log" 2>/dev/null || true; done
        cp -r "$data/run" "$kept/" 2>/dev/null || true
        say "the logs of nodes and services are in $kept"
    fi
    cluster_command down
    as_root rm -rf "$data"
    exit "$status"
}

# run_soak [OPTION]...: with SOAK_BINARIES=DIR nothing is built, and the programs in DIR run.
run_soak() {
    release=${SOAK_BINARIES:-}
    if [ -z "$release" ]; then
        install_missing
        pin_versions
        for product in ledgerd-soak ledgerd portone-sandbox; do release_build --product "$product" >&2; done
        release=$(release_build --show-bin-path)
    fi
    case " $* " in *' --help '* | *' --check '*) exec "$release/ledgerd-soak" "$@" ;; esac
    install_cluster_programs
    soak "$root/.ledgerd/soak-$$" "$release" "$@"
}

# Three minutes of faults. Where no namespaces can be made, only the checker's own tests have run.
run_short_soak() {
    install_cluster_programs
    if ! reason=$(run_cluster "$data/soak" possible 2>&1); then
        say "SKIPPED: ./dev soak, because there can be no nodes here: $reason"
        return 0
    fi
    development_build --product ledgerd-soak >&2
    (soak "$data/soak-$$" "$(swift build --show-bin-path)" --minutes 3 --seed 15 --history "$data/soak.json")
}
