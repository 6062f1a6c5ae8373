#!/bin/sh
# A highly available PostgreSQL on one machine: three nodes, each with etcd, Patroni and PostgreSQL, in namespaces of
# their own, on a switch of their own. For ./dev ha and ./dev soak; as root. The servers listen only in their
# namespaces, and this machine reaches them over one virtual cable.
#
# usage: cluster.sh DIRECTORY COMMAND
#   possible              whether this machine allows it; tells what is missing
#   up                    start all nodes, and return when there are a primary and a synchronous standby
#   down                  stop everything, and delete the directory
#   status                the members as Patroni sees them, and what is cut or stopped
#   primary | synchronous | leader-of-etcd      the name of that node; fails if there is none
#   url USER PASSWORD DATABASE [NODE]           the URL of all nodes, or of one, whatever its role
#   secret NAME                                 a password of the cluster: superuser, replication, rewind, restapi
#   kill NODE | start NODE                      cut its power; start it again
#   kill-primary          cut the primary's power, and wait for the next primary
#   cut NODE [in|out]     drop all its packets, or only those that arrive or leave
#   slow NODE RATE        limit what the node sends, such as 200kbit
#   freeze NODE | thaw NODE                     stop all processes of PostgreSQL, and let them go on
#   fill NODE             fill its disk
#   lose-link NODE        pull the cable
#   heal                  undo all of these, and wait until all nodes serve
#   switchover [NODE]     make the synchronous standby, or this one, the primary
#   run NODE COMMAND...   run a command inside a node, as root
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
say() { printf '%s\n' "$*" >&2; }
die() { say "cluster.sh: $*"; exit 1; }

[ $# -ge 2 ] || { sed -n '/^# usage/,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
directory=$1 command=$2
shift 2
case $directory in /*) ;; *) die "the directory must be an absolute path" ;; esac

nodes="node1 node2 node3"
# Several clusters can live side by side: each directory has its own network.
number=$(printf '%s' "$directory" | cksum | awk '{ print $1 % 250 + 1 }')
network=10.213.$number.0/24
cable=ledgerd-ha$number
address() { echo "10.213.$number.${1#node}"; }
addresses() { for node in $nodes; do address "$node"; done; }

# --- the machine under it ---------------------------------------------------------------------------------------------

require_programs() {
    for program in ip iptables etcd patroni mkfs.ext4 curl pg_config; do
        command -v "$program" >/dev/null || die "$program is missing"
    done
}

possible() {
    [ "$(id -u)" = 0 ] || die "not root"
    require_programs
    # shellcheck disable=SC2016 # for the other shell
    unshare --net --pid --mount --fork --mount-proc -- sh -c '
        ip link add bridge type bridge && ip link add veth0 type veth peer name veth1 &&
            iptables -A INPUT -i veth0 -j DROP && file=$(mktemp) && truncate -s 8M "$file" &&
            mkfs.ext4 -q "$file" && mount -o loop "$file" /mnt && rm "$file"' \
        >/dev/null 2>&1 || die "this machine does not allow namespaces, bridges, iptables or loop devices"
}

# pid NAME: the first process of a node, or of the switch, as this machine numbers it. A stale file may name another's.
pid() {
    [ -f "$directory/$1/pid" ] || return 1
    outer=$(cat "$directory/$1/pid")
    tr '\0' ' ' 2>/dev/null <"/proc/$outer/cmdline" | grep -qF " $directory/$1" || return 1
    pgrep -P "$outer"
}

inside() {
    node=$1
    shift
    first=$(pid "$node") || die "$node is not running"
    nsenter -t "$first" --net --pid --mount -- "$@"
}

# In the network of the switch, and with this machine's process ids, which name the other end of a cable.
on_switch() { nsenter -t "$(pid switch)" --net -- "$@"; }

# begin NAME COMMAND...: a first process in namespaces of its own. Ctrl-C does not reach it.
begin() {
    name=$1
    shift
    mkdir -p "$directory/$name"
    # The log also has what earlier starts left.
    begun=$(wc -c 2>/dev/null <"$directory/$name/log") || begun=0
    setsid unshare --net --pid --mount --fork --kill-child=KILL --mount-proc -- "$@" \
        >>"$directory/$name/log" 2>&1 </dev/null &
    echo $! >"$directory/$name/pid"
    await_start pid "$name" >/dev/null
}

# await_start CONDITION...: for what was begun last; if it has ended, or does not come so far, its log tells why.
await_start() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        if [ "$tries" -ge 600 ] || ! kill -0 "$(cat "$directory/$name/pid")" 2>/dev/null; then
            die "$name did not start: $(tail -c "+$((begun + 1))" "$directory/$name/log" | tail -n 3)"
        fi
        sleep 0.05
    done
}

end() {
    first=$(pid "$1") || return 0
    kill -KILL "$(cat "$directory/$1/pid")" 2>/dev/null || true
    tries=0
    while [ -d "/proc/$first" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || die "process $first of $1 does not end"
        sleep 0.05
    done
}

# --- the switch and the nodes -----------------------------------------------------------------------------------------

start_switch() {
    ! pid switch >/dev/null || return 0
    begin switch sh -c 'while :; do sleep 3600; done' "$directory/switch"
    on_switch sh -c 'ip link add bridge type bridge forward_delay 0 && ip link set bridge up'
    ip link delete "$cable" 2>/dev/null || true
    ip link add "$cable" type veth peer name host netns "$(pid switch)"
    ip address add "10.213.$number.254/24" dev "$cable"
    ip link set "$cable" up
    on_switch sh -c 'ip link set host master bridge up'
}

start_node() {
    ! pid "$1" >/dev/null || return 0
    require_programs
    if [ ! -f "$directory/$1/disk.img" ]; then
        mkdir -p "$directory/$1/etcd"
        chown postgres: "$directory/$1/etcd"
        chmod 700 "$directory/$1/etcd"
        truncate -s 4G "$directory/$1/disk.img"
        mkfs.ext4 -q -m 0 "$directory/$1/disk.img"
    fi
    configure "$1" >"$directory/$1/patroni.yml"
    members=$(for node in $nodes; do echo "$node=http://$(address "$node"):2380"; done | paste -sd ,)
    rm -f "$directory/$1/mounted"
    begin "$1" "$here/machine.sh" "$directory/$1" "$1" "$(address "$1")/24" "$members"
    await_start test -e "$directory/$1/mounted"
    # A cable of a node that has just ended may still be there.
    on_switch ip link delete "$1" 2>/dev/null || true
    on_switch ip link add "$1" type veth peer name eth0 netns "$(pid "$1")" ||
        { end "$1"; die "the network of $1 can't be made"; }
    on_switch ip link set "$1" master bridge up
}

# The template for operators, filled in for a node.
configure() {
    sed -e "s|@NAME@|$1|; s|@ADDRESS@|$(address "$1")|; s|@NETWORK@|$network|; s|@BIN@|$(pg_config --bindir)|" \
        -e "s|@ETCD_HOSTS@|$(addresses | sed 's/$/:2379/' | paste -sd ,)|" \
        -e "s|@RESTAPI_PASSWORD@|$(secret restapi)|; s|@SUPERUSER_PASSWORD@|$(secret superuser)|" \
        -e "s|@REPLICATION_PASSWORD@|$(secret replication)|; s|@REWIND_PASSWORD@|$(secret rewind)|" \
        -e "s|@WAL_KEEP@|128MB|; s|@SLOT_WAL_KEEP@|512MB|; s|@MAX_WAL@|256MB|" "$here/patroni.yml"
}

make_secrets() {
    [ ! -f "$directory/secrets" ] || return 0
    (umask 077
        for name in superuser replication rewind restapi; do
            echo "$name $(od -An -N 24 -tx1 /dev/urandom | tr -d ' \n')"
        done >"$directory/secrets")
}

secret() { awk -v name="$1" '$1 == name { print $2 }' "$directory/secrets"; }

up() {
    possible
    mkdir -p "$directory"
    make_secrets
    start_switch
    for node in $nodes; do start_node "$node"; done
    await 120 "there are a primary and a synchronous standby" has_both
}

has_both() { primary >/dev/null && synchronous >/dev/null; }

# await SECONDS WHAT CONDITION...
await() {
    deadline=$(($(date +%s) + $1)) what=$2
    shift 2
    until "$@"; do
        [ "$(date +%s)" -lt "$deadline" ] || die "it did not happen in time that $what; the ends of the logs:
$(tail -n 3 "$directory"/node*/log)"
        sleep 0.2
    done
}

down() {
    for node in $nodes switch; do end "$node"; done
    ip link delete "$cable" 2>/dev/null || true
    rm -rf "$directory"
}

# --- questions --------------------------------------------------------------------------------------------------------

# answers NODE PATH: whether Patroni's API answers with 200, asked from inside so that a cut does not hide it.
answers() { inside "$1" curl -s -f -m 2 -o /dev/null "http://$(address "$1"):8008/$2" 2>/dev/null; }

# first PATH: the first node that answers so.
first() {
    for node in $nodes; do
        pid "$node" >/dev/null || continue
        if answers "$node" "$1"; then
            echo "$node"
            return 0
        fi
    done
    return 1
}

primary() { first primary; }
synchronous() { first synchronous; }

leader_of_etcd() {
    for node in $nodes; do
        pid "$node" >/dev/null || continue
        status=$(inside "$node" curl -s -m 2 -X POST -d '{}' "http://$(address "$node"):2379/v3/maintenance/status") ||
            continue
        # It is the leader if it names itself.
        ids=$(printf '%s' "$status" | tr ',{}' '\n' | sed -n 's/.*"\(member_id\|leader\)": *"\([0-9]*\)".*/\2/p')
        [ "$(printf '%s\n' "$ids" | sort | uniq -d)" = "" ] || { echo "$node"; return 0; }
    done
    return 1
}

status() {
    for node in $nodes; do
        if ! pid "$node" >/dev/null; then
            echo "$node: without power"
        elif inside "$node" iptables -S 2>/dev/null | grep -q DROP; then
            echo "$node: cut off"
        fi
    done
    for node in $nodes; do
        pid "$node" >/dev/null || continue
        inside "$node" timeout 5 /run/postgresql/venv/bin/python3 /run/postgresql/venv/bin/patronictl \
            -c /run/postgresql/patroni.yml list 2>/dev/null && return 0
    done
    die "no node answers"
}

url() {
    if [ $# = 4 ]; then
        echo "postgresql://$1:$2@$(address "$4")/$3?target_session_attrs=any"
        return
    fi
    echo "postgresql://$1:$2@$(addresses | paste -sd ,)/$3?target_session_attrs=read-write&connect_timeout=2"
}

# --- faults -----------------------------------------------------------------------------------------------------------

cut() {
    case ${2:-both} in in | out | both) ;; *) die "cut NODE [in|out]" ;; esac
    [ "${2:-both}" = out ] || inside "$1" iptables -A INPUT -i eth0 -j DROP
    [ "${2:-both}" = in ] || inside "$1" iptables -A OUTPUT -o eth0 -j DROP
}

signal_postgres() { inside "$2" pkill "-$1" -x postgres || true; }

fill() {
    # shellcheck disable=SC2016 # for the other shell
    inside "$1" sh -c 'cd /var/lib/postgresql
        dd if=/dev/zero of=filler bs=64k count=1 2>/dev/null
        fallocate -l "$(df --output=avail -B1 . | tail -n 1)" filler || true'
}

heal() {
    for node in $nodes; do
        if ! pid "$node" >/dev/null; then
            start_node "$node"
            continue
        fi
        inside "$node" iptables -F
        inside "$node" sh -c 'rm -f /var/lib/postgresql/filler; tc qdisc delete dev eth0 root; pkill -CONT .' \
            2>/dev/null || true
        on_switch ip link set "$node" up
    done
    tries=0
    until whole; do
        tries=$((tries + 1))
        # A node that stays behind has an unusable copy: it was being rewound when the primary died.
        [ $((tries % 150)) != 0 ] || for node in $nodes; do serves "$node" || rebuild "$node"; done
        [ "$tries" -lt 400 ] || die "not all nodes came back; see status"
        sleep 0.2
    done
}

serves() { answers "$1" primary || answers "$1" replica; }

whole() {
    for node in $nodes; do serves "$node" || return 1; done
    has_both && both_follow
}

# A standby also serves while it still has to be rewound; it can't succeed the primary before it has the primary's WAL.
both_follow() {
    streams=$(inside "$(primary)" setpriv --reuid=postgres --regid=postgres --init-groups psql -X -A -t -U postgres \
        -c "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'" 2>/dev/null) && [ "$streams" = 2 ]
}

# Copies the primary anew, as an operator does with patronictl.
rebuild() {
    say "$1 stays behind: its copy is made anew"
    inside "$1" curl -s -m 10 -u "patroni:$(secret restapi)" -d '{"force": true}' \
        "http://$(address "$1"):8008/reinitialize" >/dev/null || true
}

switchover() {
    # After a fault, the next synchronous standby is named a moment later than the primary; and while they are asked,
    # Patroni may name another one, and refuse the first.
    for attempt in 1 2 3 4 5; do
        await 60 "there are a primary and a synchronous standby" has_both
        from=$(primary) || die "there is no primary"
        to=${1:-$(synchronous)} || die "there is no synchronous standby"
        answer=$(inside "$from" curl -s -m 60 -u "patroni:$(secret restapi)" \
            -d "{\"leader\": \"$from\", \"candidate\": \"$to\"}" "http://$(address "$from"):8008/switchover") ||
            die "the switchover was not answered"
        say "$answer"
        case $answer in
            *"does not match"*) [ "$attempt" = 5 ] || sleep 2 ;;
            *) break ;;
        esac
    done
    await 30 "$to is the primary" is_primary "$to"
}

kill_primary() {
    # A primary that has no synchronous standby yet has no successor: it would have to come back itself.
    await 60 "there are a primary and a synchronous standby" has_both
    killed=$(primary)
    end "$killed"
    say "$killed has no power"
    begun=$(date +%s)
    await 60 "there are a primary and a synchronous standby" has_both
    say "$(primary) is the primary, after $(($(date +%s) - begun)) s. To start $killed again: heal"
}

is_primary() { [ "$(primary)" = "$1" ]; }

case $command in
    possible | up | down | status | primary | synchronous | heal) "$command" ;;
    leader-of-etcd) leader_of_etcd ;;
    url) url "$@" ;;
    secret) secret "$@" ;;
    kill) end "$1" ;;
    start) start_node "$1" ;;
    cut) cut "$@" ;;
    slow) inside "$1" tc qdisc replace dev eth0 root tbf rate "$2" burst 16k latency 400ms ;;
    freeze) signal_postgres STOP "$1" ;;
    thaw) signal_postgres CONT "$1" ;;
    fill) fill "$1" ;;
    lose-link) on_switch ip link set "$1" down ;;
    kill-primary) kill_primary ;;
    switchover) switchover "$@" ;;
    run) inside "$@" ;;
    *) die "unknown command $command" ;;
esac
