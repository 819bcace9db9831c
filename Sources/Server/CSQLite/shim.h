// The system's SQLite.
#include <sqlite3.h>

// Swift cannot call variadic functions.

/// Turns off SQLite's count of the memory that it uses. For that count, all threads share one mutex, which a thread
/// locks whenever SQLite allocates or frees memory. Has an effect only before SQLite is first used; later, it fails.
static inline int sqlite3_config_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
