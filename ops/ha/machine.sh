#!/bin/sh
# The first process of one node: a "machine" with its own network, processes and mounts, in which etcd, Patroni and
# PostgreSQL have the paths of production. cluster.sh starts it; when it is killed, the kernel ends everything in it, as
# a power cut does. What is on its disk stays.
#
# usage: machine.sh DIRECTORY NAME ADDRESS/BITS ETCD-CLUSTER     as root, in namespaces of its own
set -eu
directory=$1 name=$2 address=${3%/*} etcd_cluster=$4

mount -o loop "$directory/disk.img" /var/lib/postgresql
chown postgres: /var/lib/postgresql
mount -t tmpfs -o mode=755 tmpfs /run/postgresql
chown postgres: /run/postgresql
mount --bind "$directory/etcd" /mnt
# Where the user postgres can reach them.
touch /run/postgresql/etcd
mount --bind "$(command -v etcd)" /run/postgresql/etcd
mkdir /run/postgresql/venv
patroni=$(command -v patroni)
mount --bind "${patroni%/bin/patroni}" /run/postgresql/venv
install -o postgres -m 600 "$directory/patroni.yml" /run/postgresql/patroni.yml
# cluster.sh waits for it, and connects the cable then.
touch "$directory/mounted"

ip link set lo up
until ip link show eth0 >/dev/null 2>&1; do sleep 0.05; done
ip address add "$3" dev eth0
ip link set eth0 up

# A peer that lost its power is noticed in seconds. Otherwise a pg_rewind from it hangs for two hours.
sysctl -q -w net.ipv4.tcp_keepalive_time=5 net.ipv4.tcp_keepalive_intvl=2 net.ipv4.tcp_keepalive_probes=3 \
    net.ipv4.tcp_retries2=5

# keep COMMAND...: starts it again whenever it ends, as systemd does; never as root.
keep() {
    while :; do
        setpriv --reuid=postgres --regid=postgres --init-groups env -i PATH="$PATH" HOME=/var/lib/postgresql \
            LANG=C.UTF-8 "$@" || true
        sleep 1
    done
}

cd /
keep /run/postgresql/etcd --name "$name" --data-dir /mnt/data --logger zap --log-level warn \
    --listen-peer-urls "http://$address:2380" --initial-advertise-peer-urls "http://$address:2380" \
    --listen-client-urls "http://$address:2379" --advertise-client-urls "http://$address:2379" \
    --initial-cluster "$etcd_cluster" --initial-cluster-token ledgerd --initial-cluster-state new \
    --heartbeat-interval 100 --election-timeout 1000 &
keep /run/postgresql/venv/bin/python3 -m patroni /run/postgresql/patroni.yml &

# The shell collects the processes whose parents have died: they are the first process's.
while :; do sleep 1; done
