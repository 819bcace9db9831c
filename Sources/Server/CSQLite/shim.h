// The system's SQLite.
#include <sqlite3.h>

// Swift cannot call functions with a varying number of arguments.

/// Turns off SQLite's count of the memory that it uses. For that count all threads share one mutex, which each of them
/// takes whenever SQLite takes or gives back memory. Works until SQLite is first used, and is refused later.
static inline int sqlite3_config_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
