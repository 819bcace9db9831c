// Counts the heap allocations of a process, for `nephos-bench server`.
//
//   LD_PRELOAD=allocation-counter.so ALLOCATION_COUNTER_FILE=/path
//
// The file holds one 64-bit number in the machine's byte order: allocations since the start of the process, of all
// threads. It is a shared mapping, so a reader sees the number grow. A reallocation counts as one allocation.

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own functions under the names that are not replaced.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t uncounted;
static _Atomic uint64_t *count = &uncounted;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("ALLOCATION_COUNTER_FILE");
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(uint64_t)) != 0) _exit(99);
    void *mapped = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) _exit(99);
    count = mapped;
}

static void add(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t bytes) { add(); return __libc_malloc(bytes); }
void *calloc(size_t items, size_t bytes) { add(); return __libc_calloc(items, bytes); }
void *realloc(void *old, size_t bytes) { add(); return __libc_realloc(old, bytes); }
void *memalign(size_t alignment, size_t bytes) { add(); return __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *memory = memalign(alignment, bytes);
    if (memory) *out = memory;
    return memory ? 0 : 12; // ENOMEM
}
