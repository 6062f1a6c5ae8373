#!/bin/sh
# Follows docs/going-live.md and docs/backup.md word for word, in a fresh Debian that boots with systemd: every command
# of the pages runs, in root's shell, in the pages' order. Where a page says what to fill in, this test fills it in. The
# sandbox gateway stands in for PortOne, under PortOne's names and behind TLS.
# Needs root, mmdebstrap and Debian's packages. ./dev package --test calls it.
#
# usage: guides.sh PACKAGE SANDBOX
#   PACKAGE    the .deb
#   SANDBOX    portone-sandbox, built with --static-swift-stdlib
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
package=$(realpath -- "$1")
sandbox=$(realpath -- "$2")
docs=$(dirname -- "$(dirname -- "$here")")/docs
# shellcheck source=packaging/test/library.sh
. "$here/library.sh"

# --- following a page ----------------------------------------------------------------------------------------------------

open_page() {
    python3 "$here/page.py" "$docs/$1" "$work/page"
    page=$1
    say "--- $page"
}

# find_block LANGUAGE TEXT: sets block to the file of the page's one block that contains TEXT.
find_block() {
    block=$(grep -l -F -e "$2" "$work/page"/*."$1" || true)
    [ "$(printf '%s\n' "$block" | grep -c .)" = 1 ] || die "$page: not one $1 block with '$2': $block"
}

# fill_in FILE REPLACED REPLACEMENT…
fill_in() {
    file=$1
    shift
    while [ $# -gt 0 ]; do
        grep -q -F -e "$1" "$file" || die "$page: nothing to fill in for '$1' in: $(cat "$file")"
        python3 -c 'import sys; file, old, new = sys.argv[1:]; text = open(file).read(); open(file, "w").write(text.replace(old, new))' \
            "$file" "$1" "$2"
        shift 2
    done
}

# in_shell FILE: runs the commands in root's shell, which keeps its directory and variables; sets output.
in_shell() {
    cp "$1" "$root/root/.commands"
    rm -f "$root/root/.status"
    echo '. /root/.commands </dev/null >/root/.output 2>&1; echo >/root/.status' >&3
    tries=0
    until [ -e "$root/root/.status" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 1200 ] || ! kill -0 "$shell" 2>/dev/null; then
            die "$page: $(cat "$root/root/.commands" "$root/root/.output")"
        fi
        sleep 0.2
    done
    output=$(cat "$root/root/.output")
}

# follow TEXT [REPLACED REPLACEMENT]…: runs the page's block with TEXT; sets output.
follow() {
    find_block sh "$1"
    shift
    cp "$block" "$work/filled"
    mv "$block" "$block.done"
    fill_in "$work/filled" "$@"
    say "   $(sed -n 1p "$work/filled") …"
    in_shell "$work/filled"
}

# follow_again TEXT …: a block that was followed before.
follow_again() {
    block=$(grep -l -F -e "$1" "$work/page"/*.sh.done)
    mv "$block" "${block%.done}"
    follow "$@"
}

# set_settings TEXT [REPLACED REPLACEMENT]…: adds the page's settings with TEXT to the settings file.
set_settings() {
    find_block ini "$1"
    shift
    fill_in "$block" "$@"
    cat "$block" >>"$root/etc/ledgerd/ledgerd.env"
    mv "$block" "$block.done"
}

# Every command of the page was run.
close_page() {
    left=$(find "$work/page" -type f ! -name '*.done' | sort)
    expect_none "${left:+$(for file in $left; do cat "$file"; done)}" "nothing of $page is left out"
    rm -r "$work/page"
}

# edit_with COMMAND…: what the page's next `editor` does, as sed's commands.
edit_with() { printf '%s\n' "$@" >"$root/root/.edits"; }

start_shell() {
    mkfifo "$work/commands"
    inside env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive bash -e <"$work/commands" >"$work/shell.log" 2>&1 &
    shell=$!
    exec 3>"$work/commands"
    echo 'cd /root' >&3
}

# --- the machine, and the world around it --------------------------------------------------------------------------------

certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 "$@" 2>/dev/null
}

# signed DIRECTORY NAME…: fullchain.pem and privkey.pem for these hosts.
signed() {
    directory=$1
    shift
    mkdir -p "$directory"
    names=$(printf ',DNS:%s' "$@")
    certificate -CA "$work/ca.pem" -CAkey "$work/ca.key" -subj "/CN=$1" -addext "subjectAltName=${names#,}" \
        -keyout "$directory/privkey.pem" -out "$directory/fullchain.pem"
}

make_world() {
    certificate -subj '/CN=An authority for tests' -keyout "$work/ca.key" -out "$work/ca.pem"
    install -D -m 644 "$work/ca.pem" "$root/usr/local/share/ca-certificates/tests.crt"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
    cp "$work/ca.pem" "$root/root/db-ca.pem"
    printf '127.0.0.1 %s\n' localhost ledgerd-test db.internal coins.example.com console.example.com api.iamport.kr \
        >"$root/etc/hosts"
    # The certificate that certbot would have got.
    signed "$root/etc/letsencrypt/live/coins.example.com" coins.example.com
    signed "$root/etc/letsencrypt/live/console.example.com" localhost
    signed "$root/etc/portone" api.iamport.kr
    # PortOne: its API behind TLS, and its webhooks, which the sandbox gateway sends without TLS.
    cat >"$root/etc/nginx/conf.d/portone.conf" <<'END'
server {
    listen 443 ssl;
    server_name api.iamport.kr;
    ssl_certificate     /etc/portone/fullchain.pem;
    ssl_certificate_key /etc/portone/privkey.pem;
    location / { proxy_pass http://127.0.0.1:8081; }
}
server {
    listen 127.0.0.1:8090;
    location / {
        proxy_pass https://coins.example.com;
        proxy_ssl_server_name on;
        proxy_ssl_verify on;
        proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
        proxy_set_header Host coins.example.com;
    }
}
END
    install -m 755 "$sandbox" "$root/usr/local/bin/portone-sandbox"
    # Who follows the page: "editor FILE" changes the file as `edit_with` says.
    install -m 755 /dev/stdin "$root/usr/local/bin/editor" <<'END'
#!/bin/sh
exec sed -i -f /root/.edits "$1"
END
}

# A database server with TLS, whose administrator logs in with a password.
prepare_database() {
    signed "$root/etc/postgresql/tls" db.internal
    chroot "$root" chown -R postgres: /etc/postgresql/tls
    cat >"$root/etc/postgresql/15/main/conf.d/tls.conf" <<'END'
ssl_cert_file = '/etc/postgresql/tls/fullchain.pem'
ssl_key_file = '/etc/postgresql/tls/privkey.pem'
END
}

app() {
    inside curl -sS -o /root/.answer -w '%{http_code} ' -X "$1" "https://coins.example.com$2" \
        -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
    cat "$root/root/.answer"
}

portone() {
    network curl -sS -X "$1" "http://127.0.0.1:8081$2" -H 'Content-Type: application/json' -d "$3"
}

# member NAME: the text of a member of the JSON on standard input.
member() { sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }

balance_is() { app GET /v1/me/balance | grep -q "^200 .*\"total\":$1[,}]"; }

# A proxy that loads its settings may end connections first.
is_refused() { case $(app POST /webhooks/portone/v1 '{}' 2>/dev/null) in 404*) ;; *) return 1 ;; esac; }

# --- going live ----------------------------------------------------------------------------------------------------------

# order: sets merchant_uid.
order() {
    answer=$(app POST /v1/orders '{"product": "coins_100", "gateway": "portone-v1"}')
    expect '201 ' "$answer" "an order is made through the proxy"
    merchant_uid=$(printf '%s' "$answer" | member merchant_uid)
}

# pay: pays the order through the test channel; sets imp_uid.
pay() {
    imp_uid=$(portone POST /sandbox/payments "{\"merchant_uid\": \"$merchant_uid\", \"amount\": 1000, \"sandbox\": true}" | member imp_uid)
}

# example LANGUAGE COMMAND CALL: the page's function, called with the secret in its first argument.
example() {
    find_block "$1" token
    { [ "$1" != php ] || echo '<?php'; cat "$block"; echo "$3"; } >"$root/root/token.$1"
    mv "$block" "$block.done"
    # shellcheck disable=SC2086 # a command and its options
    token=$(inside $2 "/root/token.$1" "$(cat "$root/etc/ledgerd/credentials/jwt_secret")")
    expect '200 ' "$(app GET /v1/me/balance)" "ledgerd takes the token of the example in $1"
}

go_live() {
    open_page going-live.md
    follow 'ledgerd init' "ledgerd_$(cat "$docs/../VERSION")_amd64.deb" "${package##*/}" 'postgres:…@' 'postgres:admin-password@'
    expect 'wrote /etc/ledgerd/credentials/seal_key' "$output" "ledgerd init makes roles, database and secrets"
    public_key=$(printf '%s\n' "$output" | sed -n 's/^Give the checkers of seals the public key //p')
    follow 'portone_v1_secret' "portone_v1_key    <<<'…'" "portone_v1_key <<<sandbox-key" \
        "portone_v1_secret <<<'…'" "portone_v1_secret <<<sandbox-secret"
    set_settings LEDGERD_ALLOW_TEST_PAYMENTS
    follow 'systemctl enable --now ledgerd-migrate'
    printf '%s\n' "$output" | sed 's/^/   /' >&2
    expect '"status":"ready"' "$output" "the service is ready"
    follow 'ledgerd products add'
    expect coins_100 "$output" "a product is on sale"

    edit_with 's/52\.78\.100\.19/127.0.0.1/'
    follow 'nginx -t'
    set_settings LEDGERD_TRUSTED_PROXIES 52.78.100.19 127.0.0.1
    follow 'curl -sS https://coins.example.com/v1/products'
    expect coins_100 "$output" "nginx serves the API with TLS"
    token=none
    expect '404 ' "$(app GET /metrics)" "nginx does not serve /metrics"
    expect '404 ' "$(app POST /v1/users/ann/grants '{}')" "nor what is for services"
    edit_with 's/10\.0\.0\.0/127.0.0.0/'
    follow 'nft -c -f'
    expect 'policy drop' "$(inside nft list ruleset)" "the firewall is on"
    follow timedatectl
    expect 'NTP service' "$output" "the clock's service is known"

    # shellcheck disable=SC2016 # PHP's
    for call in 'python|python3|import sys; print(token("alice", sys.argv[1]))' \
        'js|node|console.log(token("alice", process.argv[2]))' 'php|php|echo token("alice", $argv[1]);'; do
        rest=${call#*|}
        example "${call%%|*}" "${rest%%|*}" "${rest#*|}"
    done

    # "The first test payment": steps 1 to 3, with the sandbox gateway in the place of the payment window.
    order
    pay
    # 201, or 200 if the webhook was first.
    expect '"status":"credited"' "$(app POST /v1/receipts "{\"imp_uid\": \"$imp_uid\", \"merchant_uid\": \"$merchant_uid\"}")" \
        "its receipt is credited"
    order
    pay
    wait_until "4: without a receipt, the webhook credits the coins" balance_is 200
    portone PATCH "/sandbox/payments/$imp_uid" '{"status": "cancelled"}' >/dev/null
    wait_until "5: the webhook of a cancellation claws the coins back" balance_is 100
    follow 'ledgerd reconcile'
    expect sound "$output" "6: all agrees, and the books are sound"

    # "The console": the sandbox gateway is the provider too. It returns people only to this machine.
    follow 'console_client_secret' "'…'" sandbox-console-secret
    set_settings LEDGERD_CONSOLE_ISSUER https://console.example.com https://localhost \
        https://id.example.com/realms/shop http://127.0.0.1:8081/oidc CLIENT_ID=ledgerd CLIENT_ID=ledgerd-console
    edit_with 's/server_name console.example.com/server_name localhost/' 's/10\.0\.0\.0/127.0.0.0/'
    follow 'ledgerd-console.conf'
    follow 'console/sign-in' https://console.example.com https://localhost
    expect 'console client' "$output" "the sign-in to the console is checked"
    expect '200' "$(printf '%s\n' "$output" | tail -n 1)" "nginx serves the console"
    expect '404' "$(inside curl -sS -o /dev/null -w '%{http_code}' https://localhost/metrics)" "and not /metrics"

    inside systemctl stop nginx
    inside systemctl start caddy
    edit_with 's|^coins.example.com {|&\n\ttls /etc/caddy/fullchain.pem /etc/caddy/privkey.pem|' 's/52\.78\.100\.19/127.0.0.1/'
    inside install -m 640 -g caddy -t /etc/caddy /etc/letsencrypt/live/coins.example.com/fullchain.pem \
        /etc/letsencrypt/live/coins.example.com/privkey.pem
    follow 'caddy validate'
    expect '200 ' "$(app GET /v1/me/balance)" "Caddy serves the API with TLS"
    expect '404 ' "$(app GET /metrics)" "and not /metrics"
    expect '400 ' "$(app POST /webhooks/portone/v1 '{}')" "webhooks reach ledgerd from PortOne's address"
    inside sed -i 's/127\.0\.0\.1 52/127.0.0.9 52/' /etc/caddy/Caddyfile
    inside systemctl reload caddy
    wait_until "and from no other" is_refused
    inside systemctl stop caddy
    inside systemctl start nginx
    close_page
}

# --- backup and restore --------------------------------------------------------------------------------------------------

purchases() { as_admin -At -d ledgerd -c 'SELECT count(*) FROM purchase'; }

has_recovered() { [ "$(as_admin -At -c 'SELECT pg_is_in_recovery()')" = f ]; }

back_up_and_restore() {
    open_page backup.md
    follow 'stanza-create'
    expect 'success' "$(inside systemctl show --property Result ledgerd-drill.service)" "the first drill holds"
    inside systemctl start ledgerd-backup@diff
    expect 'ledgerd_backup_timestamp_seconds' "$(cat "$root"/var/lib/prometheus/node-exporter/ledgerd-backup.prom)" "a backup is reported"
    expect_none "$(inside systemd-analyze verify --man=no ledgerd-backup@full.service ledgerd-backup-full.timer \
        ledgerd-backup-diff.timer ledgerd-drill.service ledgerd-drill.timer 2>&1)" "systemd finds nothing wrong with the units"
    expect 3 "$(inside systemctl list-timers --no-legend 'ledgerd-*' | grep -c ledgerd-)" "three timers wait"
    echo 'ledgerd seal --output /root/seal-2026-11-21.json' >"$work/filled"
    in_shell "$work/filled"

    order
    sleep 1
    moment=$(date -u +%FT%TZ)
    sleep 1
    pay
    wait_until "a purchase after the moment" balance_is 200
    before=$(purchases)
    inside runuser -u postgres -- pgbackrest --stanza=ledgerd check
    follow 'ledgerd drill --to' 2026-11-20T15:00:00Z "$moment"
    expect 'holds the books' "$output" "a drill holds, and one to a moment"

    follow 'systemctl stop ledgerd'
    follow 'main.before'
    follow 'ledgerd restore'
    follow 'pg_is_in_recovery'
    wait_until "the recovery ends" has_recovered
    expect "$before" "$(purchases)" "all that was archived is restored"
    follow 'ledgerd doctor --seal' seal- /root/seal- '…' "$public_key"
    expect sound "$output" "and the books are sound, with the seal"
    rm -r "$root/var/lib/postgresql/15/main.before"
    follow_again 'systemctl stop ledgerd'
    follow_again 'main.before'
    follow 'target-action' '2026-11-22 10:29:59+09' "$(date -u -d "$moment" '+%F %T+00')"
    follow_again 'pg_is_in_recovery'
    wait_until "the recovery ends" has_recovered
    expect $((before - 1)) "$(purchases)" "a moment is restored, without the purchase after it"
    follow 'ledgerd reconcile' 2026-11-21 "$(date -d yesterday +%F)" 2026-11-23 "$(date -d '2 days' +%F)"
    expect "$before" "$(purchases)" "the reconciliation credits it again"
    inside systemctl start ledgerd
    expect '200 ' "$(app GET /v1/me/balance)" "the service serves the restored books"
    inside systemctl start ledgerd-backup@full
    # How another tool restores: an example of the drill's option, not a command of an operator's.
    find_block sh 'tablespace-map-all'
    mv "$block" "$block.done"
    close_page
}

# --- all of it -----------------------------------------------------------------------------------------------------------

make_root ca-certificates,caddy,curl,iproute2,libcurl4,libexpat1,libpq5,libxlsxwriter4,nftables,nginx,nodejs,openssl,pgbackrest,php-cli,python3,systemd-timesyncd,tzdata,zlib1g
make_world
prepare_database
chroot "$root" systemctl --quiet disable caddy nftables 2>/dev/null
cp "$package" "$root/root/"
boot
wait_until "PostgreSQL answers" is_postgres_up
as_admin -c "ALTER ROLE postgres PASSWORD 'admin-password'"
inside systemd-run --quiet --unit sandbox --property DynamicUser=yes /usr/local/bin/portone-sandbox \
    --v1-webhook-url http://127.0.0.1:8090/webhooks/portone/v1
wait_until "the sandbox gateway serves" sandbox_serves
start_shell
go_live
back_up_and_restore
say "the guides work"
