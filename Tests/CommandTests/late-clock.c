// Sets the wall clock of a process ahead by LATE_CLOCK_SECONDS (or back, below 0), for tests of servers on one database:
//
//   LD_PRELOAD=late-clock.so LATE_CLOCK_SECONDS=-2.5
//
// or by the number that a file currently contains, so that another process can move the clock, for Tests/Browser:
//
//   LD_PRELOAD=late-clock.so LATE_CLOCK_FILE=/tmp/seconds

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// How far the clock is ahead, in seconds.
static double late(void) {
    const char *path = getenv("LATE_CLOCK_FILE");
    if (path) {
        char digits[24] = {0};
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return 0;
        ssize_t count = read(file, digits, sizeof digits - 1);
        close(file);
        return count > 0 ? atof(digits) : 0;
    }
    const char *text = getenv("LATE_CLOCK_SECONDS");
    return text ? atof(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        double seconds = late();
        long long nanoseconds = time->tv_nsec + (long long)((seconds - (long)seconds) * 1e9);
        time->tv_sec += (long)seconds;
        if (nanoseconds < 0) (time->tv_sec--, nanoseconds += 1000000000);
        if (nanoseconds >= 1000000000) (time->tv_sec++, nanoseconds -= 1000000000);
        time->tv_nsec = (long)nanoseconds;
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
