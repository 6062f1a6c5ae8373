# shellcheck shell=sh
# Ports: which are free, and which those of ./dev up are.

listening() {
    grep -qiE ":$(printf '%04X' "$1") 0+:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# Prints the first free port from $1 on.
free_port() {
    candidate=$1
    while listening "$candidate"; do candidate=$((candidate + 1)); done
    echo "$candidate"
}

# require_free PORT WHOSE OPTION
require_free() {
    ! listening "$1" || die "port $1 for $2 is in use by another process: choose another port with $3"
}

is_port() {
    case $1 in '' | *[!0-9]* | ??????*) return 1 ;; esac
    [ "$1" -ge 1 ] && [ "$1" -le "$2" ]
}

# Refuses what can't work before anything is built, started or written.
check_ports() {
    is_port "$port" 55535 || die "--port must be a number from 1 to 55535"
    is_port "$gateway_port" 65535 || die "--gateway-port must be a number from 1 to 65535"
    [ "$port" != "$gateway_port" ] || die "--port and --gateway-port must differ"
    [ -z "$admin_port" ] || check_other_port "$admin_port" --admin-port
    [ -z "$shop_port" ] || check_other_port "$shop_port" --shop-port
    runs_already=no
    cluster_runs=no
    if [ -d "$data" ]; then
        locate_cluster "$data"
        if as_postgres test -f "$cluster/postmaster.pid"; then cluster_runs=yes; fi
    fi
    if alive ledgerd || alive sandbox; then
        runs_already=yes
        ports=$(sed -n 's|^LEDGERD_URL=http://127.0.0.1:||p; s|^SANDBOX_URL=http://127.0.0.1:||p' "$data/dev.env")
        # shellcheck disable=SC2086 # two numbers
        set -- $ports
        [ "$*" = "$port $gateway_port" ] ||
            die "$data is already running on ports $1 and $2: use these ports, or run ./dev down --data $data first"
        say "$data is already running"
    fi
    alive ledgerd || require_free "$port" ledgerd --port
    alive sandbox || require_free "$gateway_port" "the sandbox gateway" --gateway-port
    [ "$cluster_runs" = yes ] || require_free $((port + 10000)) "PostgreSQL (10000 above ledgerd's)" --port
    choose_port ledgerd ADMIN_URL admin_port --admin-port $((port + 2))
    admin_port=$chosen
    choose_port shop SHOP_URL shop_port --shop-port $((port + 3))
    shop_port=$chosen
}

# check_other_port PORT OPTION
check_other_port() {
    is_port "$1" 65535 || die "$2 must be a number from 1 to 65535"
    case $1 in
        "$port" | "$gateway_port") die "$2 must differ from --port and --gateway-port" ;;
    esac
}

# choose_port PROCESS URL_NAME WANTED OPTION FIRST: sets chosen: the port of the running process, that of the option, or
# a free one.
choose_port() {
    eval "wanted=\$$3"
    running=
    if alive "$1"; then running=$(sed -n "s|^$2=http://127.0.0.1:||p" "$data/dev.env"); fi
    if [ -n "$running" ]; then
        [ "${wanted:-$running}" = "$running" ] ||
            die "$data is already running with $4 $running: use this port, or run ./dev down --data $data first"
        chosen=$running
    elif [ -n "$wanted" ]; then
        require_free "$wanted" "$3" "$4"
        chosen=$wanted
    else
        chosen=$(free_port "$5")
        while [ "$chosen" = "$gateway_port" ] || [ "$chosen" = "$admin_port" ]; do
            chosen=$(free_port $((chosen + 1)))
        done
    fi
}
