# shellcheck shell=sh
# A data directory's secrets, its database, and dev.env.

# Passwords and secrets are made once for a data directory and stay in it.
load_secrets() {
    if [ ! -f "$data/secrets.env" ]; then
        (umask 077 && cat >"$data/secrets.env" <<SECRETS
OWNER_PASSWORD=$(random_secret)
SERVICE_PASSWORD=$(random_secret)
JWT_SECRET=$(random_secret)
APP_KEY=app-$(random_secret | cut -c 1-32)
WEBHOOK_SECRET=whsec_$(head -c 24 /dev/urandom | base64)
SECRETS
        )
    fi
    # shellcheck source=/dev/null
    . "$data/secrets.env"
    if [ -z "${SEAL_KEY:-}" ]; then
        SEAL_KEY=$("$ledgerd" seal keygen | sed -n 's/^LEDGERD_SEAL_KEY=//p')
        printf 'SEAL_KEY=%s\n' "$SEAL_KEY" >>"$data/secrets.env"
    fi
    if [ -z "${ENDPOINT_KEY:-}" ]; then
        ENDPOINT_KEY=$(head -c 32 /dev/urandom | base64)
        printf 'ENDPOINT_KEY=%s\n' "$ENDPOINT_KEY" >>"$data/secrets.env"
    fi
    if [ -z "${FORGETTING_KEY:-}" ]; then
        FORGETTING_KEY=$(head -c 32 /dev/urandom | base64)
        printf 'FORGETTING_KEY=%s\n' "$FORGETTING_KEY" >>"$data/secrets.env"
    fi
}

create_database() {
    [ "$(superuser_sql -At -c "SELECT count(*) FROM pg_database WHERE datname = 'ledgerd'" postgres)" = 0 ] || return 0
    statements=$("$ledgerd" init --print-sql)
    # The passwords are hexadecimal, so quoting them is safe; they go by standard input, not the process list.
    superuser_sql postgres <<SQL
\\set owner_password '$OWNER_PASSWORD'
\\set service_password '$SERVICE_PASSWORD'
$statements
SQL
}

# Writes the environment, takes it over, and migrates.
migrate_database() {
    write_environment
    set -a
    # shellcheck source=/dev/null
    . "$data/dev.env"
    set +a
    applied=$(LEDGERD_DATABASE_URL=$DATABASE_URL "$ledgerd" migrate) || exit
    [ "$applied" = "no pending migrations" ] || say "$applied"
}

write_environment() {
    token() { LEDGERD_JWT_SECRET=$JWT_SECRET "$ledgerd" token --sub "$1" --scope "$2" --ttl 30d; }
    (umask 077 && cat >"$data/dev.env" <<ENV
# Written by ./dev up. To use it: set -a; . $data/dev.env; set +a
LEDGERD_URL=http://127.0.0.1:$port
SANDBOX_URL=http://127.0.0.1:$gateway_port
${admin_port:+ADMIN_URL=http://127.0.0.1:$admin_port
}${shop_port:+SHOP_URL=http://127.0.0.1:$shop_port
}DATABASE_URL=postgresql://ledgerd_owner:$OWNER_PASSWORD@$database
USER_TOKEN=$(token demo-user user)
SERVICE_TOKEN=$(token dev-service service,refunds:approve)
FINANCE_TOKEN=$(token dev-finance finance)
APPROVER_TOKEN=$(token dev-approver finance)
EVENTS_TOKEN=$(token dev-events events)
SUPPORT_TOKEN=$(token dev-support support)
ENDPOINTS_TOKEN=$(token dev-integrator endpoints,events)
APP_KEY=$APP_KEY
JWT_SECRET=$JWT_SECRET
# What ledgerd itself is configured with: with these set, \`$ledgerd serve\` is the same service.
LEDGERD_BINARY=$ledgerd
LEDGERD_DATABASE_URL=postgresql://ledgerd:$SERVICE_PASSWORD@$database
LEDGERD_LISTEN=127.0.0.1:$port
${admin_port:+LEDGERD_ADMIN_LISTEN=127.0.0.1:$admin_port
}LEDGERD_PORTONE_V1_URL=http://127.0.0.1:$gateway_port
LEDGERD_PORTONE_V1_KEY=sandbox-key
LEDGERD_PORTONE_V1_SECRET=sandbox-secret
LEDGERD_PORTONE_V2_URL=http://127.0.0.1:$gateway_port
LEDGERD_PORTONE_V2_SECRET=sandbox-v2-secret
LEDGERD_PORTONE_V2_STORE_ID=store-sandbox
LEDGERD_PORTONE_V2_WEBHOOK_SECRET=$WEBHOOK_SECRET
LEDGERD_JWT_SECRET=$JWT_SECRET
LEDGERD_APP_KEYS=$APP_KEY
LEDGERD_REQUIRE_ORDERS=false
LEDGERD_SEAL_KEY=$SEAL_KEY
LEDGERD_ENDPOINT_KEY=$ENDPOINT_KEY
LEDGERD_FORGETTING_KEY=$FORGETTING_KEY
LEDGERD_ENDPOINT_NETWORKS=127.0.0.0/8
${admin_port:+LEDGERD_CONSOLE_URL=http://127.0.0.1:$admin_port
LEDGERD_CONSOLE_ISSUER=http://127.0.0.1:$gateway_port/oidc
LEDGERD_CONSOLE_CLIENT_ID=ledgerd-console
LEDGERD_CONSOLE_CLIENT_SECRET=sandbox-console-secret
LEDGERD_CONSOLE_REFUND_LIMIT=4000
LEDGERD_CONSOLE_GRANT_LIMIT=${LEDGERD_CONSOLE_GRANT_LIMIT:-100}}
ENV
    )
}

# data_option USUAL: the option that a command needs to find the data directory.
data_option() { [ "$data" = "$1" ] || printf ' --data %s' "$data"; }
