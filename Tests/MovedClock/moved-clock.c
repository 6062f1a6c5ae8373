// Moves the clock of the programs that have it in LD_PRELOAD, by the number of seconds in the file that MOVED_CLOCK
// names. The file is read at most once a second. Not moved are the monotonic clock and waits until a moment of the real
// clock.
//
// libfaketime can't be used: it sets a variable, so the environment moves in memory. Swift 6.3 finds the arguments by
// their place before the environment, so a Swift program would start without arguments.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*Reader)(clockid_t, struct timespec *);

static Reader real_clock(void) {
    static _Atomic(Reader) found;
    if (!found) found = (Reader)dlsym(RTLD_NEXT, "clock_gettime");
    return found;
}

// What the file says; if it can't be read, as before.
static long read_file(long before) {
    const char *path = getenv("MOVED_CLOCK");
    char text[32] = "";
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return before;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : before;
}

static long ahead(void) {
    static atomic_long seconds, read_at = -1;
    struct timespec now;
    real_clock()(CLOCK_MONOTONIC, &now);
    long last = read_at;
    // One thread reads, so that none puts an older number back.
    if (last != now.tv_sec && atomic_compare_exchange_strong(&read_at, &last, now.tv_sec)) {
        int before = errno;
        seconds = read_file(seconds);
        errno = before;
    }
    return seconds;
}

// Before there are threads.
__attribute__((constructor)) static void read_first(void) { ahead(); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = real_clock()(clock, time);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += ahead();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (!result) *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
