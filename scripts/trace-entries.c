// Records each entry into a function, on any thread, in the order of entries. Linked into a build with
// -sanitize-coverage=func,trace-pc-guard (scripts/save-trace). SIGUSR1 starts recording, and the next one writes the recorded
// addresses to the file that NEPHOS_TRACE names: 8 bytes each, beginning with the address of nephos_trace_base.
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define ENTRIES (1 << 23)

static uintptr_t entries[ENTRIES];
static atomic_size_t count;
static atomic_int noting;

void nephos_trace_base(void) {}

static void turn(int signal) {
    (void)signal;
    if (!atomic_exchange(&noting, 1)) {
        entries[0] = (uintptr_t)&nephos_trace_base;
        atomic_store(&count, 1);
        return;
    }
    atomic_store(&noting, 0);
    const char *path = getenv("NEPHOS_TRACE");
    int file = path ? open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600) : -1;
    size_t all = atomic_load(&count);
    const char *bytes = (const char *)entries;
    size_t left = (all < ENTRIES ? all : ENTRIES) * sizeof entries[0];
    while (file >= 0 && left > 0) {
        ssize_t written = write(file, bytes, left);
        if (written <= 0) break;
        bytes += written;
        left -= (size_t)written;
    }
    if (file >= 0) close(file);
}

__attribute__((constructor)) static void begin(void) { signal(SIGUSR1, turn); }

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    for (uint32_t *guard = start; guard < stop; guard++) *guard = 1;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    if (!atomic_load_explicit(&noting, memory_order_relaxed)) return;
    size_t place = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    if (place < ENTRIES) entries[place] = (uintptr_t)__builtin_return_address(0);
}
