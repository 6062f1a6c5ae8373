#!/bin/sh
# Installs the package in a fresh Debian that has no Swift, buys coins there, upgrades, removes and installs it again.
# Needs root, mmdebstrap and Debian's packages. ./dev package --test calls it.
#
# usage: package.sh PACKAGE SANDBOX [BEFORE]
#   PACKAGE    the .deb
#   SANDBOX    portone-sandbox, built with --static-swift-stdlib
#   BEFORE     the .deb of the version before, which is upgraded from; by default, PACKAGE under an older number
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
package=$(realpath -- "$1")
sandbox=$(realpath -- "$2")
before=${3:+$(realpath -- "$3")}
# shellcheck source=packaging/test/library.sh
. "$here/library.sh"

install_package() { inside env DEBIAN_FRONTEND=noninteractive dpkg --force-confold --install "$1"; }

# answer METHOD PATH [BODY]: the status and the body.
answer() {
    network curl -sS -o "$work/body" -w '%{http_code} ' -X "$1" "http://127.0.0.1:8080$2" \
        -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
    cat "$work/body"
}

# --- a fresh machine ---------------------------------------------------------------------------------------------------

make_root ''
if [ -z "$before" ]; then
    dpkg-deb --raw-extract "$package" "$work/before"
    sed -i 's/^Version: .*/&~before/' "$work/before/DEBIAN/control"
    before=$work/before.deb
    dpkg-deb --root-owner-group -Znone --build "$work/before" "$before" >/dev/null
fi
cp "$before" "$root/root/before.deb"
cp "$package" "$root/root/package.deb"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/before.deb >/dev/null
expect_none "$(find "$root" -xdev -iname '*libswift*' -o -xdev -iname '*libFoundation*')" "the machine has no Swift"
expect_none "$(chroot "$root" ldd /usr/bin/ledgerd | grep -E 'not found|swift' || true)" "the binary finds all it needs"
chroot "$root" ldd /usr/bin/ledgerd | wc -l >"$work/count"
say "   it links $(cat "$work/count") libraries, all of Debian's own"
install -m 755 "$sandbox" "$root/usr/local/bin/portone-sandbox"
boot
expect disabled "$(inside systemctl is-enabled ledgerd 2>&1 || true)" "an installed service is not enabled"
expect inactive "$(inside systemctl is-active ledgerd 2>&1 || true)" "nor started"
expect_none "$(inside systemd-analyze verify --man=no ledgerd.service ledgerd-migrate.service 2>&1)" "systemd finds nothing wrong with the units"

# --- from nothing to a purchase ----------------------------------------------------------------------------------------

wait_until "PostgreSQL answers" is_postgres_up
as_admin -c "ALTER ROLE postgres PASSWORD 'admin-password'"
(umask 077 && echo 'postgresql://postgres:admin-password@127.0.0.1/postgres' >"$root/root/admin-url")
expect 'wrote /etc/ledgerd/migrate/database_url' \
    "$(inside ledgerd init --admin-url-file /root/admin-url --directory /etc/ledgerd)" "init makes roles, database and secrets"
echo sandbox-key | secret credentials/portone_v1_key
sed -i -e 's|^#LEDGERD_PORTONE_V1_URL=.*|LEDGERD_PORTONE_V1_URL=http://127.0.0.1:8081|' \
    -e 's|^#LEDGERD_REQUIRE_ORDERS=.*|LEDGERD_REQUIRE_ORDERS=false|' "$root/etc/ledgerd/ledgerd.env"
inside systemctl enable --quiet ledgerd ledgerd-migrate 2>/dev/null

inside systemctl start --no-block ledgerd
wait_until "a secret that is missing is named in the journal" \
    sh -c "nsenter -t $init -m -p -- journalctl --unit ledgerd | grep -q 'portone_v1_key is set without portone_v1_secret'"
cat "$root"/etc/ledgerd/credentials/* | sed 's|^postgresql://[^:]*:\([^@]*\)@.*|\1|' >"$work/secrets"
expect_none "$(inside journalctl --unit ledgerd | grep -F -f "$work/secrets" || true)" "no secret is in the journal"
echo sandbox-secret | secret credentials/portone_v1_secret
inside systemctl restart ledgerd
expect active "$(inside systemctl is-active ledgerd)" "the service starts, when it serves and its migration is done"
expect 'Finished ledgerd-migrate.service' "$(inside journalctl --unit ledgerd-migrate | cat)" "the migration ran before it"
expect 'serving at 127.0.0.1:8080' "$(inside systemctl show --property StatusText ledgerd)" "systemd shows what it does"
wait_until "it serves" serves
inside systemd-run --quiet --unit sandbox --property DynamicUser=yes /usr/local/bin/portone-sandbox
wait_until "the sandbox gateway serves" sandbox_serves

inside env LEDGERD_DATABASE_URL_FILE=/etc/ledgerd/credentials/database_url \
    ledgerd products add coins_100 --title '100 Coin' --price 1000 --coins 100 >/dev/null
token=$(inside env LEDGERD_JWT_SECRET_FILE=/etc/ledgerd/credentials/jwt_secret ledgerd token --sub ann)
receipt=$(network curl -sS http://127.0.0.1:8081/sandbox/payments -H 'Content-Type: application/json' \
    -d '{"merchant_uid": "package-1", "amount": 1000}' |
    sed 's/.*\("imp_uid":"[^"]*"\).*\("merchant_uid":"[^"]*"\).*/{\1,\2}/')
expect '201 ' "$(answer POST /v1/receipts "$receipt")" "coins are bought"
expect '"total":100' "$(answer GET /v1/me/balance)" "and there"
say "   $(cat "$work/body")"

inside systemd-analyze --no-pager security ledgerd >"$work/security" || true
say "   $(tail -n 1 "$work/security")"
exposure=$(sed -n 's/.*exposure level for ledgerd.service: \([0-9]*\).*/\1/p' "$work/security")
[ "${exposure:-10}" -le 2 ] || die "systemd-analyze security finds the service exposed"
pid=$(main_pid)
expect 'Seccomp:	2' "$(inside cat "/proc/$pid/status")" "its system calls are filtered"
expect 'NoNewPrivs:	1' "$(inside cat "/proc/$pid/status")" "it gets no new privileges"
expect ledgerd "$(inside ps -o user= -p "$pid" 2>/dev/null || inside stat -c %U "/proc/$pid")" "it runs as a user of its own"
expect '"PRIORITY":"6"' "$(inside journalctl --unit ledgerd -o json | tr -d ' ' | grep serving)" "the journal has its priorities"

inside mkdir -p /run/systemd/system/ledgerd.service.d
printf '[Service]\nWatchdogSec=3s\n' >"$work/watchdog.conf"
inside tee /run/systemd/system/ledgerd.service.d/watchdog.conf <"$work/watchdog.conf" >/dev/null
inside systemctl daemon-reload
inside systemctl restart ledgerd
inside sleep 5
expect 'NRestarts=0' "$(inside systemctl show --property NRestarts ledgerd)" "a service that lives is left alone"
inside sh -c "kill -STOP $(main_pid)"
was_restarted() { [ "$(inside systemctl show --value --property NRestarts ledgerd)" -ge 1 ] && serves; }
wait_until "a service that hangs is started again" was_restarted
expect 'Watchdog timeout' "$(inside journalctl --unit ledgerd | cat)" "for want of a sign of life"
inside rm -r /run/systemd/system/ledgerd.service.d

# --- upgrade -----------------------------------------------------------------------------------------------------------

pid=$(main_pid)
old=$(sed 's/.*"version":"\([^"]*\)".*/\1/' "$work/ready")
expect 'systemctl restart ledgerd' "$(install_package /root/package.deb)" "an upgrade says what to do"
expect "$pid" "$(main_pid)" "and leaves the running service alone"
expect 'LEDGERD_REQUIRE_ORDERS=false' "$(cat "$root/etc/ledgerd/ledgerd.env")" "settings stay"
inside systemctl restart ledgerd
wait_until "the new version serves" serves
say "   $old, then $(cat "$work/ready")"
expect "$(dpkg-deb --field "$package" Version)" "$(inside dpkg-query -W ledgerd)" "the new version is installed"
expect '"total":100' "$(answer GET /v1/me/balance)" "the data stays over an upgrade"
expect '200 ' "$(answer POST /v1/receipts "$receipt")" "and the receipt is known"

# --- binaries and schemas of different versions --------------------------------------------------------------------------

schema() { as_admin -d ledgerd -c "$1"; }
readiness() { network curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/health/ready; }
# What a binary says of the schema.
said() {
    inside env LEDGERD_DATABASE_URL_FILE=/etc/ledgerd/credentials/database_url "$1" check --timeout 2s 2>&1 |
        grep '^migrations ' || true
}

mkdir "$root/root/before"
dpkg-deb --fsys-tarfile "$before" | tar -x -C "$root/root/before" ./usr/bin/ledgerd
say "   the version before, of the new schema: $(said /root/before/usr/bin/ledgerd)"
known=$(as_admin -At -d ledgerd -c 'SELECT max(version) FROM migration')
schema "INSERT INTO migration (version, name, checksum) VALUES (9000, 'of_the_next_version', '')"
expect 'migration 9000 is applied, but this binary does not know it' "$(said ledgerd)" "a schema of a later version is refused"
expect 503 "$(readiness)" "a process that runs is not ready then"
schema "UPDATE migration SET compatible_from = $known WHERE version = 9000"
expect ok "$(said ledgerd)" "a later schema that is compatible is not refused"
expect 200 "$(readiness)" "and the process is ready"
inside systemctl restart ledgerd
expect '200 ' "$(answer POST /v1/receipts "$receipt")" "and serves it"
schema "DELETE FROM migration WHERE version = 9000; CREATE TABLE kept AS SELECT * FROM migration WHERE version = $known;
    DELETE FROM migration WHERE version = $known"
expect 'ledgerd migrate' "$(said ledgerd)" "a schema of an earlier version is refused, with what to do"
schema "INSERT INTO migration SELECT * FROM kept; DROP TABLE kept"
expect ok "$(said ledgerd)" "the schema is this version's again"

# --- removal -------------------------------------------------------------------------------------------------------------

inside env DEBIAN_FRONTEND=noninteractive dpkg --remove ledgerd >/dev/null
expect inactive "$(inside systemctl is-active ledgerd || true)" "removal stops the service"
[ ! -e "$root/usr/bin/ledgerd" ] || die "removal leaves the binary"
inside env DEBIAN_FRONTEND=noninteractive dpkg --purge ledgerd >/dev/null 2>&1
[ ! -e "$root/etc/ledgerd/ledgerd.env" ] || die "purging leaves the settings"
expect 'postgresql://' "$(cat "$root/etc/ledgerd/credentials/database_url")" "secrets stay after purging"
expect_none "$(find "$root/etc/systemd" "$root/usr/bin" "$root/usr/share" "$root/lib/systemd/system" -iname '*ledgerd*')" "nothing else stays"
expect 1 "$(as_admin -At -d ledgerd -c 'SELECT count(*) FROM purchase')" "the books stay"

install_package /root/package.deb >/dev/null
sed -i -e 's|^#LEDGERD_PORTONE_V1_URL=.*|LEDGERD_PORTONE_V1_URL=http://127.0.0.1:8081|' "$root/etc/ledgerd/ledgerd.env"
inside systemctl start ledgerd
wait_until "installed again, it serves" serves
expect '"total":100' "$(answer GET /v1/me/balance)" "with the data that was"
expect sound "$(inside env LEDGERD_DATABASE_URL_FILE=/etc/ledgerd/credentials/database_url ledgerd doctor)" "the doctor finds the books sound"
say "the package works"
