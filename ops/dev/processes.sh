# shellcheck shell=sh
# The processes that run in the background, and what ends them.

# A pid file may outlive a reboot, and its number be another process's by then: that one is neither ours nor to be ended.
alive() {
    [ -f "$data/$1.pid" ] || return 1
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$data/$1.pid")/cmdline") in
        */ledgerd\ * | */portone-sandbox\ * | */demo-shop\ *) ;;
        *) return 1 ;;
    esac
}

# make_clock_library DIR: what moves the clock of a program, by the seconds in the file MOVED_CLOCK.
make_clock_library() {
    export MOVED_CLOCK_LIBRARY="$1/moved-clock.so"
    "${CC:-clang}" -Wall -Wextra -Werror -O2 -shared -fPIC -o "$MOVED_CLOCK_LIBRARY" \
        "$root/Tests/MovedClock/moved-clock.c"
}

# Prints what to put before a command to move its clock; nothing without MOVED_CLOCK.
moved_clock() { [ -z "${MOVED_CLOCK:-}" ] || echo env "LD_PRELOAD=$MOVED_CLOCK_LIBRARY"; }

# launch NAME COMMAND...: runs it in the background, in a session of its own so that Ctrl-C reaches only this script.
launch() {
    name=$1
    shift
    # shellcheck disable=SC2046  # words
    setsid $(moved_clock) "$@" >>"$data/$name.log" 2>&1 </dev/null &
    echo $! >"$data/$name.pid"
}

halt() {
    if alive "$1"; then
        pid=$(cat "$data/$1.pid")
        kill -TERM "$pid" 2>/dev/null || true
        tries=0
        while kill -0 "$pid" 2>/dev/null; do
            tries=$((tries + 1))
            [ "$tries" -lt 300 ] || { kill -KILL "$pid" 2>/dev/null || true; break; }
            sleep 0.1
        done
    fi
    rm -f "$data/$1.pid"
}

# halt_older NAME PROGRAM: ends the process if the program was built since.
halt_older() {
    if alive "$1" && [ -n "$(find "$2" -newer "$data/$1.pid")" ]; then halt "$1"; fi
}

# Ends with this script what it has started, if that is no longer wanted.
ours=no

finish() {
    status=$?
    trap '' INT TERM HUP
    if [ "$ours" = yes ]; then
        say "stopping"
        "${stop:-stop_all}"
    fi
    exit "$status"
}

catch_signals() {
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    trap finish EXIT
}
