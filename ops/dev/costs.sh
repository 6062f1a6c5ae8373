# shellcheck shell=sh
# What a run of tests costs, beside what it may cost: Tests/Budget.

measures=
postmaster=0

# begin_measures DIR: from here on, what runs by `measured` is measured, and its costs are kept in DIR.
begin_measures() {
    measures=$1
    rm -rf "$measures"
    mkdir -p "$measures"
}

# measured NAME COMMAND...: runs it, and keeps what it cost.
measured() {
    part=$1
    shift
    if [ -z "$measures" ]; then "$@"; return; fi
    python3 -B Tests/Budget/run.py measure "$measures" "$part" "$postmaster" "$@"
}

# Shows what the run cost beside Tests/Budget/budget; fails if that is over.
report_costs() {
    # shellcheck disable=SC2086 # words
    python3 -B Tests/Budget/run.py report "$measures" "$postmaster" $swift_test >&2
}
