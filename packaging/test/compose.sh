#!/bin/sh
# Runs packaging/compose.yaml with podman-compose: roles, database and secrets are made, and demo-user buys coins; somebody
# buys coins in the shop, and somebody else signs in to the console and sees the purchase; then everything starts again with
# the volumes that are there. The images are those of this machine: ledgerd's own, and in the
# place of docker.io's PostgreSQL one that is made of Debian's package. In namespaces of its own, so that nothing else is
# reached or changed. Needs root, podman, crun, netavark, aardvark-dns, catatonit, curl and mmdebstrap.
# ./dev image --test calls it.
#
# usage: compose.sh IMAGE SANDBOX SHOP PODMAN_COMPOSE
#   IMAGE            the archive of ledgerd's image
#   SANDBOX          portone-sandbox, built with --static-swift-stdlib
#   SHOP             demo-shop, built likewise
#   PODMAN_COMPOSE   the program, of PyPI's package podman-compose
set -eu

# In the namespaces there is no network: what Debian has is got before.
if [ -z "${LEDGERD_COMPOSE_TEST:-}" ]; then
    LEDGERD_COMPOSE_TEST=$(mktemp -d)
    export LEDGERD_COMPOSE_TEST
    trap 'rm -rf "$LEDGERD_COMPOSE_TEST"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=minbase --include=postgresql "$codename" "$LEDGERD_COMPOSE_TEST/postgres"
    unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$@"
    exit
fi

file=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)/compose.yaml
archive=$(realpath -- "$1")
sandbox=$(realpath -- "$2")
shop=$(realpath -- "$3")
program=$(realpath -- "$4")
work=$LEDGERD_COMPOSE_TEST

say() { printf '%s\n' "$*" >&2; }

die() {
    say "FAILED: $*"
    for container in postgres migrate ledgerd sandbox demo shop; do
        say "--- $container"
        podman logs "ledgerd_${container}_1" 2>&1 | tail -n 15 >&2 || true
    done
    exit 1
}

finish() {
    status=$?
    trap '' INT TERM HUP
    podman rm --all --force --time 2 >/dev/null 2>&1 || true
    umount -R "$work" 2>/dev/null || true
    exit "$status"
}
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap finish EXIT

# Storage, networks and limits of the test's own. Podman asks for more than a machine that is itself a container may have.
prepare_podman() {
    mount --make-rprivate /
    ip link set lo up
    # crun does not run beside both versions of control groups; what it does not see, it does not mind.
    umount /sys/fs/cgroup/unified 2>/dev/null || true
    mount -t tmpfs tmpfs /run
    mount -t tmpfs tmpfs /dev/shm
    mkdir "$work/networks" "$work/temporary"
    cat >"$work/containers.conf" <<END
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=4096:4096", "nproc=1024:1024"]
[engine]
runtime = "crun"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$work/temporary"
[network]
network_backend = "netavark"
network_config_dir = "$work/networks"
END
    cat >"$work/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
END
    export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf" BUILDAH_FORMAT=docker
}

# An image whose entry point does as much of what docker.io's does as compose.yaml uses.
make_postgres() {
    cat >"$work/postgres/entrypoint" <<'END'
#!/bin/sh
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    install -d -o postgres -g postgres -m 700 "$PGDATA"
    printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
    chmod 644 /tmp/password
    as_postgres "$bin/initdb" -D "$PGDATA" --username=postgres --auth=scram-sha-256 --pwfile=/tmp/password
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$bin/postgres" -D "$PGDATA" -k /tmp -c 'listen_addresses=*'
END
    chmod 755 "$work/postgres/entrypoint"
    image=$(buildah from scratch)
    buildah add --quiet "$image" "$work/postgres" / >/dev/null
    buildah config --entrypoint '["/entrypoint"]' "$image"
    buildah commit --quiet --rm "$image" docker.io/library/postgres:17 >/dev/null
    rm -rf "$work/postgres"
}

# make_trial_image NAME PROGRAM: ledgerd's image with another program.
make_trial_image() {
    image=$(buildah from "$loaded")
    buildah add --quiet "$image" "$2" "/usr/bin/$(basename "$2")" >/dev/null
    buildah config --entrypoint "[\"/usr/bin/$(basename "$2")\"]" --cmd '' --healthcheck NONE "$image"
    buildah commit --quiet --rm "$image" "localhost/$1:latest" >/dev/null
}

make_images() {
    loaded=$(podman load --quiet --input "$archive" | sed -n 's/^Loaded image: //p')
    podman tag "$loaded" localhost/ledgerd:latest
    make_trial_image ledgerd-sandbox "$sandbox"
    make_trial_image ledgerd-shop "$shop"
    make_postgres
}

# Without dependencies, for Debian 12's podman knows only those of the first degree, and no condition.
compose() { "$program" --in-pod false --file "$file" "$@"; }

# healthy SERVICE: nobody but us runs the health check, for there is no systemd.
healthy() {
    tries=0
    until podman healthcheck run "ledgerd_$1_1" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 120 ] || die "$1 is not healthy"
        sleep 0.5
    done
    say "ok: $1 is healthy"
}

up() { compose up --no-deps --no-build --detach "$@" >>"$work/log" 2>&1 || die "$(tail -n 5 "$work/log")"; }

# finishes SERVICE: waits for it, and keeps what it printed.
finishes() {
    [ "$(podman wait "ledgerd_$1_1")" = 0 ] || die "$1 failed"
    podman logs "ledgerd_$1_1" >"$work/$1" 2>&1
}

# In the order that the conditions of compose.yaml give.
start() {
    up postgres
    healthy postgres
    up migrate
    finishes migrate
    up ledgerd sandbox
    healthy ledgerd
    up demo
    finishes demo
    up shop
    healthy shop
}

bought() {
    grep -q 'POST /v1/receipts → 201' "$work/demo" || die "demo bought nothing: $(cat "$work/demo")"
    grep -q "balance: $1 coins" "$work/demo" || die "the balance is not $1: $(cat "$work/demo")"
    say "ok: demo-user buys coins and has $1"
}

# As a browser: it keeps cookies, and does not follow redirects.
browse() { curl -sS --cookie "$work/cookies" --cookie-jar "$work/cookies" "$@"; }

# redirect OPTION…: where a request is redirected to.
redirect() {
    found=$(browse -o "$work/page" -w '%{redirect_url}' "$@")
    [ -n "$found" ] || die "no redirect: $* $(cat "$work/page")"
    echo "$found"
}

# shows URL TEXT: a page has a text.
shows() {
    status=$(browse -o "$work/page" -w '%{http_code}' "$1")
    [ "$status" = 200 ] || die "$1 has status $status: $(cat "$work/page")"
    grep -q -- "$2" "$work/page" || die "$1 does not show '$2': $(cat "$work/page")"
}

# choose URL FIELD…: sends the form of a page that has the fields of its address, with a choice.
choose() {
    address=${1%%\?*} query=${1#*\?}
    shift
    redirect --data "$query" "$@" "$address"
}

buy_in_shop() {
    shop_url=http://127.0.0.1:8083
    shows "$shop_url/" 'action="/sign-in"'
    say "ok: the shop answers"
    redirect --data user=compose-buyer "$shop_url/sign-in" >/dev/null
    window=$(redirect --data 'product=coins_100&gateway=portone-v1' "$shop_url/orders")
    shows "$window" 'name="outcome"'
    paid=$(choose "$window" --data 'outcome=pay&pay_method=card')
    order=$(redirect "$paid")
    shows "$order" 'Paid: 100 coins'
    say "ok: compose-buyer buys 100 coins in the shop"
}

see_in_console() {
    console_url=http://127.0.0.1:8082/console
    shows "$console_url/sign-in" 'href="/console/sign-in/start"'
    say "ok: the console's sign-in page answers"
    provider=$(redirect "$console_url/sign-in/start")
    shows "$provider" 'value="support-1"'
    callback=$(choose "$provider" --data person=support-1)
    redirect "$callback" >/dev/null
    shows "$console_url/customers/compose-buyer" '1,000'
    grep -q 'order-[a-z0-9]' "$work/page" || die "the console shows no purchase: $(cat "$work/page")"
    say "ok: support signs in with one click, and sees the purchase"
}

prepare_podman
make_images
start
grep -q 'made the roles ledgerd_owner and ledgerd' "$work/migrate" || die "no roles were made: $(cat "$work/migrate")"
say "ok: roles, database and secrets are made"
bought 100
sed -n '/^journal entry/,/^[[:space:]]*$/p' "$work/demo" | sed 's/^/   /' >&2
curl -sf -o /dev/null http://127.0.0.1:8080/v1/products || die "port 8080 is not published"
curl -sf -o /dev/null http://127.0.0.1:8081/ || die "port 8081 is not published"
buy_in_shop
see_in_console
say "ok: all ports are open to this machine"
compose down >>"$work/log" 2>&1
start
grep -q 'no pending migrations' "$work/migrate" || die "it was not migrated: $(cat "$work/migrate")"
bought 200
see_in_console
say "compose.yaml works"
