# shellcheck shell=sh
# ./dev ha: a highly available setup.

# run_cluster DIRECTORY COMMAND [ARGUMENT]...
run_cluster() { as_root env PATH="$cluster_path" "$root/ops/ha/cluster.sh" "$@"; }

cluster_command() { run_cluster "$data/ha" "$@"; }

# Starts the nodes, and creates and migrates the database. Needs the programs, ledgerd, port and gateway_port.
start_highly_available_database() {
    mkdir -p "$data"
    cluster_command up
    load_secrets
    hosts=$(cluster_command url user password ledgerd | sed 's/^.*@//')
    database=${hosts%%&*}
    socket=${hosts%%/*}
    cluster_port=5432
    PGPASSWORD=$(cluster_command secret superuser)
    PGTARGETSESSIONATTRS=read-write
    export PGPASSWORD PGTARGETSESSIONATTRS
    create_database
    unset PGPASSWORD PGTARGETSESSIONATTRS
    migrate_database
}

ha_up() {
    stop=ha_down
    catch_signals
    if alive ledgerd1 || alive ledgerd2 || alive sandbox; then die "$data is already running"; fi
    for needed in "$port" $((port + 1)); do require_free "$needed" ledgerd --port; done
    require_free "$gateway_port" "the sandbox gateway" --gateway-port
    install_missing
    install_cluster_programs
    build
    ours=yes
    start_highly_available_database
    launch_sandbox
    launch_service ledgerd1
    export LEDGERD_LISTEN="127.0.0.1:$((port + 1))"
    launch_service ledgerd2
    if ! "$ledgerd" dev --environment "$data/dev.env" \
        --stop "./dev ha down$(data_option "$root/.ledgerd/ha")"; then
        tail -n 5 "$data/sandbox.log" "$data/ledgerd1.log" "$data/ledgerd2.log" >&2
        die "ledgerd or the sandbox gateway did not start"
    fi
    say "the second ledgerd listens at http://127.0.0.1:$((port + 1)); try ./dev ha kill-primary, status, heal"
    ours=no
}

ha_down() {
    for process in ledgerd1 ledgerd2 sandbox; do halt "$process"; done
    cluster_command down
    rm -f "$data/dev.env" "$data/secrets.env" "$data/ledgerd1.log" "$data/ledgerd2.log" \
        "$data/sandbox.log" "$data/sandbox.json"
    rmdir "$data" 2>/dev/null || true
}

# run_ha COMMAND [ARGUMENT]...
run_ha() {
    subcommand=${1:-}
    [ $# -eq 0 ] || shift
    data=$root/.ledgerd/ha
    port=8090
    gateway_port=8092
    arguments=
    while [ $# -gt 0 ]; do
        case $1 in
            --port) port=${2:?--port needs a number}; shift ;;
            --gateway-port) gateway_port=${2:?--gateway-port needs a number}; shift ;;
            --data) data=${2:?--data needs a directory}; shift ;;
            -*) usage >&2; die "unknown option $1" ;;
            *) arguments="$arguments $1" ;;
        esac
        shift
    done
    case $data in /*) ;; *) data=$PWD/$data ;; esac
    case $subcommand in
        up) ha_up ;;
        down) ha_down ;;
        status | kill-primary | cut | heal | switchover)
            [ -d "$data/ha" ] || die "nothing runs in $data: run ./dev ha up first"
            # shellcheck disable=SC2086 # names of nodes
            cluster_command "$subcommand" $arguments ;;
        *) usage >&2; die "unknown command: ha $subcommand" ;;
    esac
}
