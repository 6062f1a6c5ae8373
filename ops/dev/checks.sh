# shellcheck shell=sh
# What ./dev test checks without a build, beside the build.

# promtool alone: Debian's package prometheus would start a server.
test_alerts() {
    promtool=$(command -v promtool || echo "$data/prometheus/usr/bin/promtool")
    if [ ! -x "$promtool" ]; then
        say "getting promtool"
        mkdir -p "$data/prometheus"
        as_root apt-get update -qq >&2
        (cd "$data/prometheus" && apt-get download -qq prometheus >&2 && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb)
    fi
    "$promtool" check rules ops/prometheus/alerts.yml >&2
    "$promtool" test rules ops/prometheus/*.test.yml >&2
}

# What needs no build: the checks, and getting what the tests need.
check_sources() {
    # A signal waits for the end of an installation.
    trap 'exit 143' TERM
    trap '[ $? = 0 ] || kill -USR1 $$' EXIT
    # shellcheck disable=SC2086 # words
    install_missing $needed
    lint_names
    lint_scripts
    lint_sources
    test_alerts
    tools="Tests/Conformance/traces Examples/webhook-receiver"
    if [ "$tier" = all ]; then
        tools="$tools Tests/Conformance/service Tests/Pages"
        Tests/python.sh Tests/Conformance/requirements.txt conformance
        Tests/python.sh Tests/Conformance/stores/requirements.txt stores
        Tests/python.sh Tests/Conformance/clients/requirements.txt clients
        Tests/python.sh Tests/Conformance/mcp/requirements.txt mcp
        Tests/python.sh Tests/Conformance/kubernetes/requirements.txt kubernetes
        Tests/python.sh Tests/Conformance/postgresql/requirements.txt postgresql
        Tests/pgbouncer.sh
        install_cluster_programs
    fi
    for tool in $tools; do Tests/python.sh "$tool/requirements.txt"; done
    python3 -B Tests/Budget/tests.py
    python3 -B Tests/Mutants/tests.py
    times >"$measures/checks and tools.times"
}

# list_files [PATTERN]: the files of the checkout, also those that are not committed, with a NUL behind each.
list_files() { git ls-files -z --cached --others --exclude-standard -- "$@"; }

# The names of all files are plain: another one was made by accident, as by a quote that is missing in a command.
lint_names() {
    ! list_files | tr '\0\n' '\n?' | grep -vE '^[A-Za-z0-9._/+@-]+$' ||
        { echo "names with other characters than letters, digits and ._/+@-" >&2; return 1; }
}

# Finds the scripts by their first line, so that a new one can't be forgotten. Files that a script reads, as ./dev reads those
# of ops/dev, are checked as parts of it.
lint_scripts() {
    list_files |
        xargs -0 awk 'FNR == 1 && /^#!.*[\/ ](ba|da)?sh( |$)/ { printf "%s%c", FILENAME, 0 } { nextfile }' |
        xargs -0 shellcheck --external-sources --check-sourced
}

# Lints the Swift files whose text has not passed yet: by the same rules it would pass again.
lint_sources() {
    rules=$({ swift format --version && cat .swift-format; } | cksum | cut -d ' ' -f 1)
    list_files '*.swift' | xargs -0 sha256sum 2>/dev/null |
        sed "s/^/$rules /" | sort >"$data/linting"
    touch "$data/linted"
    comm -13 "$data/linted" "$data/linting" | sed 's/^[0-9]* [0-9a-f]*  //' | tr '\n' '\0' |
        xargs -0 -r swift format lint --strict
    mv "$data/linting" "$data/linted"
}

# Builds the tests while the sources are checked. When a check fails, the build ends and the check's output is shown.
build_beside_checks() {
    mkdir -p "$data"
    building='' checking=''
    trap 'trap "" INT TERM HUP USR1; end_tree "$building"; end_tree "$checking"; wait' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    trap 'cat "$data/checks.log" >&2; die "a check failed: see above"' USR1
    (check_sources) >"$data/checks.log" 2>&1 &
    checking=$!
    build_tests &
    building=$!
    wait "$building"
    building=
    wait "$checking"
    checking=
    trap - EXIT
}

# end_tree PID: ends a process and what it has started, but not an installation of packages.
end_tree() {
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") in '' | *"apt-get install"*) return 0 ;; esac
    # shellcheck disable=SC2046 # words
    set -- "$1" $(cat "/proc/$1/task/"*/children 2>/dev/null)
    kill -TERM "$1" 2>/dev/null || true
    shift
    for child; do end_tree "$child"; done
}
