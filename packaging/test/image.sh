#!/bin/sh
# Runs the container image as it is meant to be run, read-only and without rights, with a database, and buys coins.
# Needs root, podman, and psql. ./dev image --test calls it.
#
# usage: image.sh IMAGE DATABASE SANDBOX
#   IMAGE      the archive
#   DATABASE   the URL of an administrator of a PostgreSQL that listens on 127.0.0.1
#   SANDBOX    portone-sandbox, which runs beside the containers
set -eu

# crun does not run beside both versions of control groups; what it does not see, it does not mind.
if mountpoint --quiet /sys/fs/cgroup/unified; then
    # shellcheck disable=SC2016 # the inner shell's
    exec unshare --mount sh -c 'mount --make-rprivate / && umount /sys/fs/cgroup/unified && exec "$@"' sh "$0" "$@"
fi

archive=$1
admin=$2
sandbox=$3
stand_in=
name=ledgerd-test-$$
work=$(mktemp -d)
port=18780
gateway=18781

say() { printf '%s\n' "$*" >&2; }

die() {
    say "FAILED: $*"
    podman logs "$name" 2>&1 | tail -n 20 >&2 || true
    cat "$work/health" >&2 2>/dev/null || true
    exit 1
}

finish() {
    status=$?
    trap '' INT TERM HUP
    [ -z "$stand_in" ] || kill "$stand_in" 2>/dev/null || true
    podman rm --force --time 2 "$name" >/dev/null 2>&1 || true
    rm -rf "$work"
    exit "$status"
}
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap finish EXIT

# expect TEXT ACTUAL WHAT
expect() {
    case $2 in *"$1"*) say "ok: $3" ;; *) die "$3: expected '$1', got '$2'" ;; esac
}

wait_until() {
    what=$1
    shift
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 60 ] || die "not in time: $what"
        sleep 0.5
    done
    say "ok: $what"
}

sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

# Podman asks for more than a machine that is itself a container may have.
limit() { prlimit --pid $$ --noheadings --raw --output SOFT,HARD "--$1" | tr ' ' ':'; }

# run NAME OPTIONS… -- COMMAND…: a container as compose.yaml has it, but for the network, which is this machine's.
run() {
    container=$1
    shift
    options=
    while [ "$1" != -- ]; do options="$options $1"; shift; done
    shift
    # shellcheck disable=SC2086 # options of ours, without blanks
    podman run --name "$container" --network host --read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop all \
        --security-opt no-new-privileges --ulimit "nofile=$(limit nofile)" --ulimit nproc=1024:1024 --runtime crun --cgroups disabled \
        $options "$image" "$@"
}

answer() {
    curl -sS -o "$work/body" -w '%{http_code} ' -X "$1" "http://127.0.0.1:$port$2" \
        -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
    cat "$work/body"
}

image=$(podman load --quiet --input "$archive" | sed -n 's/^Loaded image: //p')
expect 10001:10001 "$(podman inspect --format '{{.Config.User}}' "$image")" "the image runs as a user without rights"
expect health "$(podman inspect --format '{{.HealthCheck.Test}}' "$image")" "the image has a health check"
say "   $image, $(podman inspect --format '{{.Size}}' "$image") bytes"

server=$(sql -At "$admin" -c "SELECT current_setting('port')")
sql "$admin" -c "ALTER ROLE postgres PASSWORD 'admin-password'"
# It writes as the image's user, and the service reads.
install -d -o 10001 -g 10001 -m 700 "$work/secrets" "$work/secrets/credentials" "$work/secrets/migrate"
chmod 755 "$work"
expect 'wrote /run/secrets/migrate/database_url' "$(run "$name-init" --rm --no-healthcheck --volume="$work/secrets:/run/secrets" -- \
    init --admin-url "postgresql://postgres:admin-password@127.0.0.1:$server/postgres" --directory /run/secrets)" \
    "a container makes roles, database and secrets"
mounted=--volume=$work/secrets:/run/secrets:ro
url_file=LEDGERD_DATABASE_URL_FILE
expect 'no pending migrations' \
    "$(run "$name-migrate" --rm --no-healthcheck "$mounted" --env=$url_file=/run/secrets/migrate/database_url -- migrate)" \
    "a container migrates"
"$sandbox" --listen "127.0.0.1:$gateway" >"$work/sandbox.log" 2>&1 &
stand_in=$!
run "$name" --detach "$mounted" --env=$url_file=/run/secrets/credentials/database_url \
    --env=LEDGERD_JWT_SECRET_FILE=/run/secrets/credentials/jwt_secret \
    --env=LEDGERD_LISTEN=0.0.0.0:$port --env=LEDGERD_PORTONE_V1_URL=http://127.0.0.1:$gateway \
    --env=LEDGERD_PORTONE_V1_KEY=sandbox-key --env=LEDGERD_PORTONE_V1_SECRET=sandbox-secret \
    --env=LEDGERD_REQUIRE_ORDERS=false -- >/dev/null
is_healthy() { podman healthcheck run "$name" >"$work/health" 2>&1; }
wait_until "the container is healthy" is_healthy
expect 'Read-only file system' "$(podman exec "$name" sh -c 'touch /etc/x' 2>&1 || true)" "its root folder can't be written"
expect 'uid=10001(ledgerd)' "$(podman exec "$name" id)" "it runs as ledgerd"
swift=$(podman exec "$name" find /usr -iname '*libswift*')
[ -z "$swift" ] || die "the image holds Swift: $swift"
say "ok: it holds no Swift"

podman exec "$name" ledgerd products add coins_100 --title '100 Coin' --price 1000 --coins 100 >/dev/null
token=$(podman exec "$name" ledgerd token --sub ann)
receipt=$(curl -sS "http://127.0.0.1:$gateway/sandbox/payments" -H 'Content-Type: application/json' \
    -d '{"merchant_uid": "image-1", "amount": 1000}' |
    sed 's/.*\("imp_uid":"[^"]*"\).*\("merchant_uid":"[^"]*"\).*/{\1,\2}/')
expect '201 ' "$(answer POST /v1/receipts "$receipt")" "coins are bought"
expect '"total":100' "$(answer GET /v1/me/balance)" "and there"
say "   $(curl -sS "http://127.0.0.1:$port/health/ready")"
podman stop --time 30 "$name" >/dev/null
expect 0 "$(podman inspect --format '{{.State.ExitCode}}' "$name")" "it stops in order on request"
say "the image works"
